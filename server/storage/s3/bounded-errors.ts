// Bounds the bodies of answers with an error: the client library would collect them whole, whatever their length.
import { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'

/** Errors are a few hundred bytes of XML. */
const errorBytesMax = 64 * 1024

interface Response {
  statusCode: number
  body: unknown
}

export function boundErrors(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args)
      const response = answer.response as Response
      if (response.statusCode >= 300 && response.body instanceof Readable) {
        response.body = Readable.from(firstBytes(response.body))
      }
      return answer
    },
    // The step nearest to the connection, before anything reads the body.
    { name: 'boundErrors', step: 'deserialize', priority: 'low' },
  )
}

/** Leaving the loop closes the connection of the rest. */
async function* firstBytes(body: Readable): AsyncIterable<Uint8Array> {
  let left = errorBytesMax
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk).subarray(0, left)
    left -= bytes.length
    yield bytes
    if (left === 0) return
  }
}
