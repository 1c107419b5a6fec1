// Finds the header of a file, and the ends of revisions: `startxref`, an offset, `%%EOF` (ISO 32000-2, 7.5.2 and
// 7.5.5).
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { isSpace } from '../syntax/characters.js'
import { Scanner } from '../syntax/scanner.js'

const marker = '%%EOF'

/** Returns the offset of the header; all offsets in the file count from there. */
export function headerOffset(source: Bytes): number {
  const length = Math.min(source.sizeBytes, strictLimits.headerSearchBytes)
  const offset = Buffer.from(source.slice(0, length)).toString('latin1').search(/%PDF-/)
  if (offset < 0) throw new NotStrict('The file has no header', 0)
  // A reader that requires digits would count offsets from a later header.
  const version = Buffer.from(
    source.slice(offset + 5, Math.max(0, Math.min(3, source.sizeBytes - offset - 5))),
  ).toString('latin1')
  if (!/^\d\.\d/.test(version)) throw new NotStrict('The header has no version', offset)
  return offset
}

/** Returns the offset that the last `startxref` gives, counted from the header. */
export function lastStartxref(source: Bytes): number {
  let end = source.sizeBytes
  while (end > 0 && isSpace(source.byte(end - 1))) {
    if (source.sizeBytes - end > strictLimits.tailBytes) throw new NotStrict('The file ends with white space', end)
    end--
  }
  const from = Math.max(0, source.sizeBytes - strictLimits.tailBytes)
  const tail = Buffer.from(source.slice(from, end - from)).toString('latin1')
  if (!tail.endsWith(marker)) throw new NotStrict('Data follows the last "%%EOF"', end)
  const [, digits] = /startxref\s+(\d{1,15})\s+%%EOF$/.exec(tail) ?? []
  if (digits === undefined) throw new NotStrict('The file has no "startxref" at its end', end)
  return Number(digits)
}

/**
 * Returns the end of the revision whose last section ends at `offset`: the offset after the end-of-line of its `%%EOF`.
 * Its `startxref` must name the section at `start`, or the white space before it, counted from the header at `origin`.
 */
export function revisionEnd(source: Bytes, offset: number, start: number, origin: number): number {
  const scanner = new Scanner(source, offset)
  scanner.skipSpace()
  scanner.expect('startxref')
  scanner.skipBlanks()
  const at = scanner.at
  const named = new Scanner(source, scanner.integer('"startxref"') + origin)
  if (named.at < start + origin) named.skipBlanks()
  if (named.at !== start + origin) scanner.fail('"startxref" names another section', at)
  scanner.skipBlanks()
  for (const character of marker) {
    if (scanner.peek() !== character.charCodeAt(0)) scanner.fail('"%%EOF" is missing')
    scanner.at++
  }
  scanner.skipEndOfLine()
  return scanner.at
}
