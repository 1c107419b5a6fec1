// Parses names and strings (ISO 32000-2, 7.3.4 and 7.3.5). Syntax that readers understand in different ways is refused.
import { strictLimits } from '../strict-limits.js'
import type { StrictName, StrictString } from '../values.js'
import { codeOf, hexDigit, isSpace } from './characters.js'
import type { Scanner } from './scanner.js'

const [open, close, backslash, greater, lineFeed, carriageReturn] = [
  codeOf('('),
  codeOf(')'),
  codeOf('\\'),
  codeOf('>'),
  10,
  13,
]
const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

export function parseName(scanner: Scanner): StrictName {
  const start = scanner.at
  scanner.at++
  const written = scanner.token()
  const name = written.replace(/#([0-9A-Fa-f]{2})?/g, (_, digits: string | undefined) => {
    if (digits === undefined || digits === '00') scanner.fail('A name has a wrong escape', start)
    return String.fromCharCode(Number.parseInt(digits, 16))
  })
  return { kind: 'name', name }
}

export function parseHexString(scanner: Scanner): StrictString {
  const start = scanner.at
  scanner.at++
  let bytes = new Uint8Array(64)
  let count = 0
  for (;;) {
    const code = scanner.peek()
    scanner.at++
    if (code === greater) break
    if (isSpace(code)) continue
    const digit = hexDigit(code)
    if (digit < 0) scanner.fail('A hexadecimal string has an invalid character or no end', start)
    const at = count >> 1
    if (at === bytes.length) bytes = doubled(bytes)
    // The last digit may be missing: it is 0.
    bytes[at] = count % 2 === 0 ? digit * 16 : (bytes[at] ?? 0) + digit
    if (++count > strictLimits.objectBytesMax) scanner.fail('A string is too long', start)
  }
  return { kind: 'string', bytes: bytes.slice(0, Math.ceil(count / 2)) }
}

function doubled(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(2 * bytes.length)
  longer.set(bytes)
  return longer
}

export function parseLiteralString(scanner: Scanner): StrictString {
  const start = scanner.at
  scanner.at++
  const bytes: number[] = []
  for (let depth = 1; ; ) {
    const code = scanner.peek()
    if (code < 0) scanner.fail('A string has no end', start)
    scanner.at++
    if (code === backslash) {
      const escaped = parseEscape(scanner)
      if (escaped !== undefined) bytes.push(escaped)
      continue
    }
    if (code === open) depth++
    if (code === close && --depth === 0) break
    // Every end of line, CR LF included, counts as one line feed.
    if (code === carriageReturn && scanner.peek() === lineFeed) scanner.at++
    bytes.push(code === carriageReturn ? lineFeed : code)
    if (bytes.length > strictLimits.objectBytesMax) scanner.fail('A string is too long', start)
  }
  return { kind: 'string', bytes: Uint8Array.from(bytes) }
}

/** Returns the escaped byte; undefined for an escaped end of line, which adds none. */
function parseEscape(scanner: Scanner): number | undefined {
  if (scanner.skipEndOfLine()) return undefined
  let octal = ''
  while (octal.length < 3 && scanner.peek() >= 0x30 && scanner.peek() <= 0x37) {
    octal += String.fromCharCode(scanner.peek())
    scanner.at++
  }
  if (octal !== '') return Number.parseInt(octal, 8) & 0xff
  const code = scanner.peek()
  if (code < 0) scanner.fail('A string has no end')
  scanner.at++
  return escapes[String.fromCharCode(code)] ?? code
}
