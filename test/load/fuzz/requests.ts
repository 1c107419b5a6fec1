// Mutated requests of every operation: methods, paths, queries, headers and bodies made from the schemas. Errors come in
// the envelope with a documented code, and none is a bug of the server.
import { mkdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { everyRequest, namesOf, type SentRequest } from '../../server/support/every-operation.js'
import { makers } from '../../server/support/running-server.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { type BuiltServer, startBuiltServer } from '../built-server.js'
import type { Draw } from '../draw.js'
import { within } from '../within.js'
import { answerComplaints } from './answer-complaints.js'
import { drawnJson } from './drawn-json.js'
import type { FuzzTarget } from './fuzz-target.js'
import { mutateBytes } from './mutate-bytes.js'
import { mutateJson } from './mutate-json.js'

const docId = 'report'
const answerMsMax = 150_000
/** A backup is the whole data; an import reaches other hosts. */
const left = new Set(['deployment.backup', 'documents.importFrom'])
const asked = everyRequest(namesOf(docId)).filter(({ operation }) => !left.has(operation.name))
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

const segments = [
  '%00',
  '%ff',
  '..',
  '%2e%2e',
  'obj:0',
  'obj:99999999999',
  'obj:-1',
  'fqn:plain',
  'base:0',
  '@',
  'default@docVersion=1',
]
const moreSegments = [
  '%',
  'x'.repeat(5000),
  'constructor',
  '%ED%A0%80',
  '*',
  '',
  'null',
  'obj:3',
  'obj:10',
  'person.last',
  '%F0%9F%98%80',
]
const headerNames = [
  'x-document-password',
  'idempotency-key',
  'range',
  'if-none-match',
  'if-range',
  'last-event-id',
  'origin',
  'accept-encoding',
]
const moreHeaders = [
  'content-type',
  'content-encoding',
  'x-request-id',
  'accept',
  'expect',
  'x-forwarded-for',
  'authorization',
  'transfer-encoding',
]
const headerValues = [
  '',
  '*',
  'bytes=0-0',
  'bytes=-1',
  'bytes=9-1',
  'bytes=0-,1-',
  '"x"',
  'W/"x"',
  'gzip',
  'br;q=0',
  'identity;q=0',
  'null',
  '100-continue',
]
const moreValues = [
  'application/json',
  'text/plain',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'AAAA',
  '%00',
  'é',
  'x'.repeat(3000),
  'Bearer x',
]

interface DrawnRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

function drawn({ operation, path }: SentRequest, draw: Draw): DrawnRequest {
  const method = draw.happens(0.08) ? draw.one(methods) : operation.method
  const hasBody = operation.input.body !== undefined || draw.happens(0.03)
  const headers: Record<string, string> = hasBody ? { 'content-type': 'application/json' } : {}
  for (let left = draw.happens(0.3) ? draw.between(1, 3) : 0; left > 0; left--)
    headers[draw.one([...headerNames, ...moreHeaders])] = draw.one([...headerValues, ...moreValues])
  const query = drawnQuery(operation.input.query, draw)
  return {
    method,
    path: mutatedPath(path, draw) + query,
    headers,
    ...(hasBody && { body: drawnBody(operation.input.body, draw) }),
  }
}

function mutatedPath(path: string, draw: Draw): string {
  if (draw.happens(0.6)) return path
  const parts = path.split('/')
  const at = draw.between(1, parts.length - 1)
  if (draw.happens(0.1)) return parts.toSpliced(at, 1).join('/')
  return parts.with(at, draw.one([...segments, ...moreSegments])).join('/')
}

function drawnQuery(schema: unknown, draw: Draw): string {
  if (schema === undefined ? draw.happens(0.95) : draw.happens(0.2)) return ''
  const value = Object(drawnJson(schema ?? { properties: { x: { type: 'string' } } }, draw))
  const members = Object.entries(draw.happens(0.4) ? Object(mutateJson(value, draw)) : value)
  const pairs = members.map(([name, member]) => `${encoded(name)}=${encoded(textOf(member))}`)
  return `?${[...pairs, ...(draw.happens(0.1) ? pairs : [])].join('&')}`.slice(0, 8000)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Lone surrogates have no encoding. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))

function drawnBody(schema: unknown, draw: Draw): Buffer {
  let value = drawnJson(schema, draw)
  for (let left = draw.below(3); left > 0; left--) value = mutateJson(value, draw)
  const bytes = Buffer.from(JSON.stringify(value) ?? '')
  return draw.happens(0.1) ? mutateBytes(bytes, draw) : bytes
}

const agent = new Agent({ keepAlive: false })

/** Sends a request as it is. The answer of an event stream is its headers. */
function sent({ api }: BuiltServer, { method, path, headers, body }: DrawnRequest) {
  const { hostname, port } = new URL(api.url)
  return new Promise<{ status: number; headers: Headers; text: string; code: string | undefined }>(
    (resolve, reject) => {
      const length =
        body !== undefined && !('transfer-encoding' in headers) ? { 'content-length': `${body.length}` } : {}
      const authorized = { authorization: `Bearer ${api.token}`, ...length, ...headers }
      const sending = request({ agent, hostname, port, path, method, headers: authorized }, (answer) => {
        const chunks: Buffer[] = []
        const end = () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const found = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
          resolve({ status: answer.statusCode ?? 0, headers: found, text, code: codeIn(text) })
        }
        answer.on('data', (chunk) => chunks.push(chunk)).once('end', end)
        answer.once('error', end)
        // Event streams do not end.
        if (answer.headers['content-type']?.startsWith('text/event-stream')) {
          end()
          sending.destroy()
        }
      })
      sending.once('error', reject).end(body)
    },
  )
}

function codeIn(text: string): string | undefined {
  try {
    return Object(JSON.parse(text)).error?.code
  } catch {
    return undefined
  }
}

export const requests: FuzzTarget = {
  name: 'requests',
  async open(folder) {
    const data = join(folder, 'data')
    mkdirSync(data)
    const server = await startBuiltServer({ folder: data, threads: 1 })
    /** Requests may have deleted the document or its tenant, or left its layer with other pages. */
    async function prepare(): Promise<void> {
      const head = await server.api.get(`/v1/docs/${docId}/layers/default/form`)
      if (head.status === 200) return
      await server.api.post('/v1/tenants/acme/resume')
      await server.api.delete(`/v1/tenants/acme/documents/${docId}`)
      await makers(server.api)
        .upload(formPdf(), { docId })
        .catch(() => {})
    }
    return {
      async draw(draw) {
        const one = drawn(draw.one(asked), draw)
        return {
          title: `${one.method} ${one.path.slice(0, 120)}`,
          files: { 'request.json': JSON.stringify({ ...one, body: one.body?.toString('latin1') }, undefined, 2) },
          async run() {
            await prepare()
            const end = server.ended()
            if (end !== undefined) return [`the server ended with ${end}: ${server.errors().join('\n')}`]
            const answer = await within(answerMsMax, sent(server, one))
            if (answer === undefined) return [`not answered within ${answerMsMax} ms`]
            // HEAD has no body, hence no envelope.
            if (one.method === 'HEAD') return answer.status === 500 ? ['answered with 500'] : []
            return answerComplaints(one.method, answer)
          },
        }
      },
      async close() {
        agent.destroy()
        return server.close()
      },
    }
  },
}
