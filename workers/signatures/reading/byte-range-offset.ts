// Finds signatures in the bytes of a file whose structure is ambiguous: by `/ByteRange`, which is uncompressed in every
// signature, while all other keys may be compressed.
import { RangedFile } from '../../strict-reader/bytes/ranged-file.js'
import { NotStrict } from '../../strict-reader/strict-document.js'
import { parseObject } from '../../strict-reader/syntax/parse-object.js'
import { dictionaryOf, nameOf, ofKind } from '../../strict-reader/values-of.js'

const mark = '/ByteRange'
const pieceBytes = 1024 * 1024
/** How far before `/ByteRange` its object may begin: `/Contents` can stand between them. */
const objectBytesMax = 4 * pieceBytes
/** Usage rights that are looked at: each costs a search for its object. */
const usageRightsMax = 16

/**
 * Returns the offset of the first `/ByteRange` that is not that of usage rights, which restrict nobody but the program of
 * their vendor, or that has too many usage rights before it; undefined if there is none.
 */
export function byteRangeOffset(path: string, section?: Uint8Array): number | undefined {
  const source = new RangedFile(path, section)
  let seen = 0
  try {
    for (let start = 0; start < source.sizeBytes; start += pieceBytes) {
      const length = Math.min(pieceBytes + mark.length - 1, source.sizeBytes - start)
      const piece = Buffer.from(source.slice(start, length))
      for (let at = piece.indexOf(mark); at >= 0; at = piece.indexOf(mark, at + 1)) {
        if (++seen > usageRightsMax || !isOfUsageRights(source, start + at)) return start + at
      }
    }
    return undefined
  } finally {
    source.close()
  }
}

/** True if the object around the offset is a signature that states usage rights, and nothing else. */
function isOfUsageRights(source: RangedFile, offset: number): boolean {
  const from = Math.max(0, offset - objectBytesMax)
  const before = Buffer.from(source.slice(from, offset - from)).toString('latin1')
  const keyword = before.lastIndexOf(' obj')
  const [header] = /\d+\s+\d+$/.exec(before.slice(Math.max(0, keyword - 32), Math.max(0, keyword))) ?? []
  if (header === undefined) return false
  try {
    const place = { offset: from + keyword - header.length, limit: source.sizeBytes, lengthOf: () => -1 }
    const { value, end } = parseObject(source, place)
    const references = ofKind(dictionaryOf(value)?.entries.get('Reference'), 'array')?.items ?? []
    const methods = references.map((one) => nameOf(ofKind(one, 'dictionary')?.entries.get('TransformMethod')) ?? '')
    return end > offset && methods.length > 0 && methods.every((method) => usageRights.has(method))
  } catch (error) {
    if (error instanceof NotStrict) return false
    throw error
  }
}

const usageRights: ReadonlySet<string> = new Set(['UR', 'UR3'])
