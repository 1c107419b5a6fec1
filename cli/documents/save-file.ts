// Writes a stream to a file that appears only once it is complete. Only its owner can read it, because documents may be
// confidential.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Writes a stream to a file, in place of the one that may be there. Resolves to the size in bytes. */
export async function saveFile(path: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<number> {
  // A name that nobody can foresee, so that no file or link of somebody else has it, and two downloads do not share it.
  const unfinished = `${path}.${randomUUID()}.part`
  const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(bytes, file)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return file.bytesWritten
}
