// Writes a stream to a file that appears only once it is complete.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Writes a stream to a file. Resolves to the size in bytes. */
export async function saveFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const unfinished = `${path}.part`
  const file = createWriteStream(unfinished)
  try {
    await pipeline(bytes, file)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  return file.bytesWritten
}
