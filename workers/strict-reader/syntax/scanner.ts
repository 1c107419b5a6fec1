// Position in bytes that is moved over white space and tokens.
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { codeOf, isDigit, isRegular, isSpace } from './characters.js'

const [percent, tab, lineFeed, carriageReturn, space] = [codeOf('%'), 9, 10, 13, 32]

export class Scanner {
  at: number
  /** Number of values read so far, which `parse-value.ts` limits. */
  values = 0
  /**
   * True if numbers with a point are refused, even those with an integer value, because readers disagree on their
   * meaning.
   */
  areRealsRefused = false

  constructor(
    readonly source: Bytes,
    at: number,
    /** Offset after the last byte. */
    readonly end: number = source.sizeBytes,
    /** Offset that errors report instead of the position: that of the object stream that is being scanned. */
    readonly place?: number,
  ) {
    this.at = at
  }

  peek(distance = 0): number {
    const at = this.at + distance
    return at < this.end ? this.source.byte(at) : -1
  }

  fail(message: string, at: number = this.at): never {
    throw new NotStrict(message, this.place ?? at)
  }

  /** Skips white space and comments. */
  skipSpace(): void {
    const start = this.at
    for (;;) {
      const code = this.peek()
      if (isSpace(code)) this.at++
      else if (code === percent) this.#skipComment()
      else return
      if (this.at - start > strictLimits.spaceBytes) this.fail('Too much white space', start)
    }
  }

  /** Skips white space, where a comment is not allowed. */
  skipBlanks(): void {
    const start = this.at
    while (isSpace(this.peek())) {
      this.at++
      if (this.at - start > strictLimits.spaceBytes) this.fail('Too much white space', start)
    }
  }

  /** Skips the spaces and tabs that separate numbers on a line. */
  skipSpaces(): void {
    const start = this.at
    while (this.peek() === space || this.peek() === tab) {
      this.at++
      if (this.at - start > strictLimits.spaceBytes) this.fail('Too much white space', start)
    }
  }

  /** Skips CR LF, LF or CR; returns whether there was one. */
  skipEndOfLine(): boolean {
    const start = this.at
    if (this.peek() === carriageReturn) this.at++
    if (this.peek() === lineFeed) this.at++
    return this.at > start
  }

  /** Reads regular characters; empty if there are none. */
  token(): string {
    const start = this.at
    let text = ''
    for (let code = this.peek(); isRegular(code); code = this.peek()) {
      text += String.fromCharCode(code)
      this.at++
      if (text.length > strictLimits.tokenBytesMax) this.fail('A name, number or keyword is too long', start)
    }
    return text
  }

  /** Reads this keyword, or fails. */
  expect(keyword: string): void {
    const start = this.at
    if (this.token() !== keyword) this.fail(`"${keyword}" is missing`, start)
  }

  /** Reads an integer without sign, or fails; errors begin with `subject`. */
  integer(subject: string): number {
    const start = this.at
    let text = ''
    while (isDigit(this.peek())) {
      text += String.fromCharCode(this.peek())
      this.at++
      if (text.length > strictLimits.integerDigitsMax) this.fail(`${subject} is too large`, start)
    }
    if (text === '' || isRegular(this.peek())) this.fail(`${subject} is not an integer`, start)
    return Number(text)
  }

  #skipComment(): void {
    const start = this.at
    for (let code = this.peek(); code >= 0 && code !== lineFeed && code !== carriageReturn; code = this.peek()) {
      this.at++
      if (this.at - start > strictLimits.spaceBytes) this.fail('A comment is too long', start)
    }
  }
}
