// The text of agents.yaml with its lines, which give every problem its place.
import type { Place } from '../diagnostic.js'
import { declarationLimits } from './limits.js'

/** Offsets into the text, without the end. */
export type Range = readonly [start: number, end: number]

export class SourceText {
  /** Offsets of the beginnings of lines, computed when the first problem is located. */
  private lineStarts: readonly number[] | undefined
  private readonly hidden: Range[] = []

  /** Creates the text. `file` is the path shown to people. */
  constructor(
    readonly file: string,
    readonly text: string,
  ) {}

  /** Marks a range that contains a secret in plain text: source lines show `*` instead. */
  hide(range: Range): void {
    this.hidden.push(range)
  }

  place([start, end]: Range): Place {
    const line = this.lineAt(start)
    const lineStart = this.starts()[line] ?? 0
    const lineEnd = this.endOfLine(lineStart)
    const underlined = this.text.slice(start, Math.min(end, lineEnd)).trimEnd()
    return {
      file: this.file,
      line: line + 1,
      column: Math.min(start, lineEnd) - lineStart + 1, // Never after the CR of a CRLF.
      length: Math.max(1, underlined.length),
      sourceLine: this.shown(lineStart, Math.min(lineEnd, lineStart + declarationLimits.sourceLineMax)),
    }
  }

  /** Returns the line as it stands in the file, without its line break. */
  lineTextAt(offset: number): string {
    const lineStart = this.starts()[this.lineAt(offset)] ?? 0
    return this.text.slice(lineStart, this.endOfLine(lineStart))
  }

  /** Returns the text from the range to the end of its last line: if the range is a key, this includes its value. */
  throughLine([start, end]: Range): string {
    return this.text.slice(start, this.endOfLine(end))
  }

  private shown(lineStart: number, lineEnd: number): string {
    let line = this.text.slice(lineStart, lineEnd)
    for (const [start, end] of this.hidden) {
      if (end <= lineStart || start >= lineEnd) continue
      const from = Math.max(start, lineStart) - lineStart
      const to = Math.min(end, lineEnd) - lineStart
      line = line.slice(0, from) + '*'.repeat(to - from) + line.slice(to)
    }
    return line
  }

  private lineAt(offset: number): number {
    const starts = this.starts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  private endOfLine(lineStart: number): number {
    const newline = this.text.indexOf('\n', lineStart)
    const end = newline < 0 ? this.text.length : newline
    return this.text[end - 1] === '\r' ? end - 1 : end
  }

  private starts(): readonly number[] {
    if (this.lineStarts) return this.lineStarts
    const starts = [0]
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.lineStarts = starts
    return starts
  }
}
