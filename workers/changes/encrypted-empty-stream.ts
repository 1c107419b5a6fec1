// Empty streams of encrypted files. Under AES they have 32 bytes like any stream shorter than a block: an initialization
// vector, and a block of nothing but padding (ISO 32000-2, 7.6.3.1). The engine announces them and writes none; so it is
// given one byte to encrypt, which is then taken out of the result.
import { withLength } from './object-text.js'

/** What is encrypted in place of no bytes. */
export const placeholder = 'x'

const blockBytes = 16
const begin = Buffer.from('stream\n')
const end = Buffer.from('\nendstream')
/** The placeholder as AES encrypts it: filled up with the number of bytes that are missing (PKCS #7). */
const padded = Buffer.alloc(blockBytes, blockBytes - placeholder.length).fill(placeholder, 0, placeholder.length)

/** `body`: an object whose stream is the encrypted placeholder. */
export function withEmptyStream(body: Buffer): Buffer {
  const vector = bytesBefore(body, 2 * blockBytes)
  if (vector !== undefined) return withPaddingOnly(body, vector)
  const at = bytesBefore(body, placeholder.length)
  if (at === undefined) throw new Error('The engine encrypted a stream in a way that is not known')
  const dictionary = body.subarray(0, at - begin.length).toString('latin1')
  return Buffer.concat([Buffer.from(withLength(dictionary, 0), 'latin1'), begin, end])
}

/**
 * A block is decrypted and then combined with the vector (CBC): a vector that differs in the bits in which the placeholder
 * differs from padding makes padding of it.
 */
function withPaddingOnly(body: Buffer, vector: number): Buffer {
  const changed = Buffer.from(body)
  for (const [index, byte] of padded.entries()) {
    changed.writeUInt8(body.readUInt8(vector + index) ^ byte ^ blockBytes, vector + index)
  }
  return changed
}

/** Where the stream begins, if it has so many bytes. */
function bytesBefore(body: Buffer, length: number): number | undefined {
  const at = body.length - end.length - length
  const isThere = at >= begin.length && body.subarray(at - begin.length, at).equals(begin)
  return isThere && body.subarray(-end.length).equals(end) ? at : undefined
}
