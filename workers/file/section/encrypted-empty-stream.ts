// Empty streams of encrypted files. Under AES they have 32 bytes like any stream shorter than a block: an
// initialisation vector and a block of padding (ISO 32000-2, 7.6.3.1). The engine declares this length but writes no
// bytes; therefore a one-byte placeholder is encrypted instead and afterwards replaced in the result.
import { withLength } from '../../objects/object-text.js'

/** Content encrypted in place of an empty stream. */
export const placeholder = 'x'

const blockBytes = 16
const begin = Buffer.from('stream\n')
const end = Buffer.from('\nendstream')
/** Placeholder as a padded block, filled with the number of missing bytes (PKCS #7). */
const padded = Buffer.alloc(blockBytes, blockBytes - placeholder.length).fill(placeholder, 0, placeholder.length)

/** Replaces the placeholder in an object. `body`: serialised object whose stream is the encrypted placeholder. */
export function withEmptyStream(body: Buffer): Buffer {
  const vector = bytesBefore(body, 2 * blockBytes)
  if (vector !== undefined) return withPaddingOnly(body, vector)
  const at = bytesBefore(body, placeholder.length)
  if (at === undefined) throw new Error('The engine encrypted a stream in an unknown way')
  const dictionary = body.subarray(0, at - begin.length).toString('latin1')
  return Buffer.concat([Buffer.from(withLength(dictionary, 0), 'latin1'), begin, end])
}

/**
 * Turns the placeholder block into pure padding. CBC combines a decrypted block with the vector, so flipping the bits
 * of the vector in which placeholder and padding differ has this effect.
 */
function withPaddingOnly(body: Buffer, vector: number): Buffer {
  const changed = Buffer.from(body)
  for (const [index, byte] of padded.entries()) {
    changed.writeUInt8(body.readUInt8(vector + index) ^ byte ^ blockBytes, vector + index)
  }
  return changed
}

/** Returns the offset of the stream data, assuming `length` bytes; undefined if the stream has another length. */
function bytesBefore(body: Buffer, length: number): number | undefined {
  const at = body.length - end.length - length
  const isThere = at >= begin.length && body.subarray(at - begin.length, at).equals(begin)
  return isThere && body.subarray(-end.length).equals(end) ? at : undefined
}
