// Finds the ends of a file's revisions by its chain of cross-reference sections: incremental updates leave every
// earlier state of a file as a prefix (ISO 32000-2, 7.5.6). The file's validity is not checked here.
import { limits } from '../limits.js'
import { FileBytes } from './file-bytes.js'

/** Maximum distance in bytes of the last `startxref` from the end of the file. */
const tailBytes = 2048
/** Maximum length of `startxref … %%EOF`, including comments that some writers put between them. */
const endingBytes = 256
/** Maximum length of a trailer or of the dictionary of a cross-reference stream. */
const dictionaryBytes = 16 * 1024
/** Maximum bytes read by the whole walk, as a multiple of the file size. */
const readingsMax = 4

/**
 * Returns offsets, oldest first; the last one is the size of the file. A file with a broken chain has a single
 * revision.
 */
export function revisionEnds(path: string): readonly number[] {
  const file = new FileBytes(path)
  try {
    return walk(file)
  } finally {
    file.close()
  }
}

function walk(file: FileBytes): readonly number[] {
  const junkBytes = Math.max(0, file.text(0, limits.headerSearchBytes).indexOf('%PDF-'))
  const ends = [file.sizeBytes]
  const seen = new Set<number>()
  let allowance = readingsMax * file.sizeBytes
  let section = lastSection(file)
  let end = file.sizeBytes
  while (section !== undefined && !seen.has(section) && seen.size < limits.revisionsMax && allowance > 0) {
    seen.add(section)
    const previous = previousSection(file, junkBytes + section)
    if (previous === undefined) break
    const ending = endingOf(file, { section: previous, offset: junkBytes + previous, end })
    allowance -= (ending?.end ?? end) - previous
    // The second section of a linearized file has no end marker of its own: it belongs to the revision of the first.
    if (ending !== undefined && ending.end < end) {
      end = ending.end
      ends.unshift(end)
    }
    section = previous
  }
  return ends
}

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

function endingOf(
  file: FileBytes,
  { section, offset, end }: { readonly section: number; readonly offset: number; readonly end: number },
): { readonly end: number } | undefined {
  const pattern = new RegExp(`startxref\\s+0*${section}\\s[^]{0,128}?%%EOF(?:\\r\\n|\\n|\\r)?`)
  return file.find(pattern, { offset, end, lengthMax: endingBytes })
}

const numberIn = (match: RegExpExecArray | null): number | undefined => (match?.[1] ? Number(match[1]) : undefined)
