// Reads an object or a range of it. A connection that breaks or stalls is replaced from where it ended; what is read is
// complete, or ends with an error.
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { limits } from '../../limits.js'
import { BlobsUnavailable, type ByteRange } from '../blobs.js'
import type { ObjectName } from './connection.js'
import { ObjectMissing, type S3Connection } from './connection.js'

/** Throws `ObjectMissing` and `BlobsUnavailable`. */
export async function* readObject(
  connection: S3Connection,
  name: ObjectName,
  { first, last }: ByteRange,
): AsyncIterable<Uint8Array> {
  let next = first
  let failures = 0
  while (next <= last) {
    let body: Readable | undefined
    try {
      body = await bodyOf(connection, name, { first: next, last })
      for await (const chunk of chunksOf(body)) {
        if (next + chunk.length > last + 1) throw new Error('The storage sent more than the range')
        next += chunk.length
        failures = 0
        yield chunk
      }
      if (next <= last) throw new Error('The storage sent less than the range')
    } catch (error) {
      if (error instanceof ObjectMissing || error instanceof BlobsUnavailable) throw error
      failures += 1
      if (failures >= limits.blobAttemptsMax) throw new BlobsUnavailable('failed', error)
      await sleep(limits.blobRetryMs * 2 ** failures * Math.random())
    } finally {
      body?.destroy()
    }
  }
}

async function bodyOf(connection: S3Connection, name: ObjectName, { first, last }: ByteRange): Promise<Readable> {
  const command = new GetObjectCommand({ ...name, Range: `bytes=${first}-${last}` })
  const { Body, ContentRange } = await connection.run((client, options) => client.send(command, options))
  const body = Body as Readable
  // An error of a connection that is not read any more must not end the process.
  body.on('error', () => {})
  if (ContentRange?.startsWith(`bytes ${first}-`)) return body
  body.destroy()
  throw new BlobsUnavailable('failed', new Error('The storage does not support ranges'))
}

/** Yields the chunks; a pause of the sender is limited, one of the reader is not. */
async function* chunksOf(body: Readable): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  for (;;) {
    const timer = setTimeout(() => body.destroy(new Error('The storage sent nothing for too long')), limits.blobIdleMs)
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer))
    if (done) return
    yield value
  }
}
