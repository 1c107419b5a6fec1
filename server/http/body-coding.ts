// Checks the declared coding of a body before reading it. A body without content type is treated as JSON, as generated
// clients intend; an unsupported encoding or charset is refused, because decoding it as plain UTF-8 would silently
// corrupt it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../refusals/refusal.js'

const charsets: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Runs after authorization, before the body is read. */
export function readBodyHeaders(app: FastifyInstance): void {
  app.addHook('preParsing', async (request) => {
    const problem = problemOf(request)
    if (problem) throw problem
    const { headers } = request
    if (headers['content-type'] === undefined && hasBody(request)) headers['content-type'] = 'application/json'
  })
}

function problemOf({ headers }: FastifyRequest): Refusal | undefined {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers
  if (encoding.trim().toLowerCase() !== 'identity') {
    return new Refusal(
      'InvalidArg',
      `Bodies with Content-Encoding ${JSON.stringify(encoding)} are not supported; send the body without encoding`,
      {
        status: 415,
        details: { header: 'Content-Encoding' },
        headers: { 'Accept-Encoding': 'identity' },
      },
    )
  }
  const charset = /^[^;]*json[^;]*;(?:.*;)?\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]
  if (charset === undefined || charsets.has(charset.toLowerCase())) return undefined
  return new Refusal('InvalidArg', `Charset ${JSON.stringify(charset)} of the JSON body is not supported; use UTF-8`, {
    status: 415,
    details: { header: 'Content-Type' },
  })
}

export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
