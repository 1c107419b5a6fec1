// Sends open files one after another as one PDF.
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import type { ByteRange } from '../storage/blobs.js'
import { refuseOtherSize } from './damaged-file.js'
import { sendFile } from './send-file.js'

export interface Part {
  readonly handle: FileHandle
  readonly sizeBytes: number
}

export interface SentParts {
  readonly parts: readonly Part[]
  /** Strong entity tag, with quotes. */
  readonly etag: string
  readonly fileName: string
  /** True: no other answer has these bytes, so that it is sent as a whole and not cached. */
  readonly isOnce?: boolean
}

/** Sends the files, and closes them afterwards in any case. */
export function sendParts({ parts, etag, fileName, isOnce = false }: SentParts, context: DocumentContext): BytesAnswer {
  const release = () => void Promise.all(parts.map(({ handle }) => handle.close()))
  try {
    const answer = sendFile(
      {
        sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
        etag,
        fileName,
        // The event is emitted even if the stream is aborted or never read.
        read: (range) => Readable.from(bytesOf(parts, range), { objectMode: false }).once('close', release),
      },
      isOnce ? { headers: {} } : context,
    )
    if (!isOnce) return answer
    return { ...answer, headers: { ...answer.headers, 'Accept-Ranges': 'none', 'Cache-Control': 'no-store' } }
  } catch (error) {
    release()
    throw error
  }
}

/** Opens a file. Throws `Unknown` if its length differs from the recorded one. */
export async function openWhole(path: string, sizeBytes: number): Promise<Part> {
  const handle = await open(path)
  try {
    refuseOtherSize(basename(path), (await handle.stat()).size, sizeBytes)
    return { handle, sizeBytes }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads a range of the concatenated files. */
async function* bytesOf(parts: readonly Part[], { first, last }: ByteRange): AsyncIterable<Uint8Array> {
  let start = 0
  for (const { handle, sizeBytes } of parts) {
    const end = Math.min(last, start + sizeBytes - 1) - start
    if (first < start + sizeBytes && end >= 0) {
      const from = Math.max(0, first - start)
      yield* handle.createReadStream({ start: from, end, highWaterMark: chunkBytes, autoClose: false })
    }
    start += sizeBytes
  }
}

/** Chunks of this size are large enough to send the file as fast as a plain one. */
const chunkBytes = 256 * 1024
