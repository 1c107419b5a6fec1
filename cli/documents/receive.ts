// Streams a response with `node:http`: `fetch` aborts after five minutes without a byte, and a large server may need
// longer before the first byte of its backup.
import { once } from 'node:events'
import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { refusal, unreachable } from './refusal.js'

export interface ReceivedAnswer {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Content length in bytes; undefined if unknown. */
  readonly sizeBytes: number | undefined
}

export interface ReceiveOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

export async function receive(url: URL, options: ReceiveOptions): Promise<ReceivedAnswer> {
  const answer = await responseTo(url, options)
  const { statusCode = 0, headers } = answer
  if (statusCode !== 200) throw refusal(statusCode, await text(answer).catch(() => ''))
  const length = headers['content-length']
  return { bytes: receivedBytes(answer, url), sizeBytes: length === undefined ? undefined : Number(length) }
}

async function responseTo(url: URL, options: ReceiveOptions): Promise<IncomingMessage> {
  const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options)
  request.end()
  try {
    const [answer]: IncomingMessage[] = await once(request, 'response')
    if (answer) return answer
  } catch (error) {
    throw unreachable(url, error)
  }
  throw unreachable(url, new Error('no answer'))
}

/** Reports a broken connection as a server that does not answer. */
async function* receivedBytes(answer: IncomingMessage, url: URL): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of answer) yield chunk
  } catch (error) {
    throw unreachable(url, error)
  }
}
