// Follows the chain of cross-reference sections of a file that the engine has opened (ISO 32000-2, 7.5.6). The file's
// validity is not checked here; `workers/strict-reader` reads revisions of signed files.
import type { FileBytes } from './file-bytes.js'

/** Maximum distance in bytes of the last `startxref` from the end of the file. */
const tailBytes = 2048
/** Maximum length of a trailer or of the dictionary of a cross-reference stream. */
const dictionaryBytes = 16 * 1024

/** Returns the offset of the newest section, relative to the header, as the file's last `startxref` states it. */
export function lastSection(file: FileBytes): number | undefined {
  const tail = file.text(Math.max(0, file.sizeBytes - tailBytes), tailBytes)
  return numberIn(/^startxref\s+(\d{1,15})/.exec(tail.slice(Math.max(0, tail.lastIndexOf('startxref')))))
}

/**
 * Returns `/Prev` of the section at an offset, from its trailer or, for a cross-reference stream, its own dictionary.
 */
export function previousSection(file: FileBytes, offset: number): number | undefined {
  const head = file.text(offset, dictionaryBytes)
  if (!/^\s*xref\b/.test(head)) return /^\s*\d+\s+\d+\s+obj\b/.test(head) ? previousIn(head, /\bstream\b/) : undefined
  const trailer = file.find(/trailer\s*<</, { offset, end: file.sizeBytes, lengthMax: 32 })
  return trailer === undefined ? undefined : previousIn(file.text(trailer.start, dictionaryBytes), /\bstartxref\b/)
}

function previousIn(text: string, before: RegExp): number | undefined {
  const length = text.search(before)
  return numberIn(/\/Prev\s+(\d{1,15})/.exec(length < 0 ? text : text.slice(0, length)))
}

const numberIn = (match: RegExpExecArray | null): number | undefined => (match?.[1] ? Number(match[1]) : undefined)
