// SHA-256 of a file of the reader, read in slices: files are larger than what should be in memory at once, and
// `crypto.subtle` takes whole files, and exists only in pages that came over TLS or from this machine.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const sliceBytes = 2 * 1024 * 1024

/** `onProgress`: bytes read so far. Throws if the file cannot be read, or the signal is aborted. */
export async function hashFile(file: Blob, signal: AbortSignal, onProgress: (bytes: number) => void): Promise<string> {
  const hash = sha256.create()
  for (let start = 0; start < file.size; start += sliceBytes) {
    const slice = await file.slice(start, start + sliceBytes).arrayBuffer()
    signal.throwIfAborted()
    hash.update(new Uint8Array(slice))
    onProgress(start + slice.byteLength)
  }
  return bytesToHex(hash.digest())
}
