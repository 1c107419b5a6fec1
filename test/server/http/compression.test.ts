// Tests which responses are compressed for which clients, and their caching headers.
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { codingFor } from '../../../server/http/compression.js'
import { limits } from '../../../server/limits.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { runServer } from '../support/running-server.js'

const server = await runServer(t)
const notes = Array.from({ length: 60 }, (_, place) => 10 + place)
const pdf = rawPdf({
  1: '<</Type/Catalog/Pages 2 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
  3: `<</Type/Page/Parent 2 0 R/Annots[${notes.map((number) => `${number} 0 R`).join(' ')}]>>`,
  ...Object.fromEntries(notes.map((n) => [n, `<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(note ${n})>>`])),
})
const layer = `/v1/docs/${await server.upload(pdf)}/layers/default`

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly bytes: Buffer
}

/** Requests without decompression, unlike `fetch`. */
function get(path: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<Got> {
  const { hostname, port } = new URL(server.url)
  const authorization = `Bearer ${server.apiToken}`
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method, headers: { authorization, ...headers } }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) })
    })
      .once('error', reject)
      .end()
  })
}

const items = `${layer}/annotations/pages/obj:3/items`

t.test('large JSON is compressed in the preferred coding with the same content', async (t) => {
  for (const path of [items, `${layer}/layout`, '/openapi.json', '/docs/json']) {
    const plain = await get(path, {})
    t.equal(plain.headers['content-encoding'], undefined)
    if (plain.bytes.length < limits.compressedBytesMin) continue
    t.match(plain.headers.vary, /Accept-Encoding/, path)
    const zipped = await get(path, { 'accept-encoding': 'gzip' })
    t.equal(zipped.headers['content-encoding'], 'gzip', path)
    t.equal(zipped.headers['content-length'], String(zipped.bytes.length))
    t.match(zipped.headers.vary, /Accept-Encoding/)
    t.ok(gunzipSync(zipped.bytes).equals(plain.bytes))
    const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' })
    t.equal(brotli.headers['content-encoding'], 'br')
    t.ok(brotliDecompressSync(brotli.bytes).equals(plain.bytes))
    t.ok(zipped.bytes.length * 4 < plain.bytes.length)
    const again = await get(path, { 'accept-encoding': 'gzip' })
    t.ok(again.bytes.equals(zipped.bytes))
    const head = await get(path, { 'accept-encoding': 'gzip' }, 'HEAD')
    t.equal(head.headers['content-encoding'], 'gzip')
    t.equal(head.bytes.length, 0)
  }
})

t.test('a compressed answer has a weak ETag, and its 304 has the same one', async (t) => {
  for (const path of [items, '/openapi.json']) {
    const plain = await get(path, {})
    const zipped = await get(path, { 'accept-encoding': 'gzip' })
    t.equal(zipped.headers.etag, `W/${plain.headers.etag}`)
    const current = String(zipped.headers.etag)
    const same = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': current })
    t.equal(same.status, 304)
    t.equal(same.headers.etag, current)
    t.match(same.headers.vary, /Accept-Encoding/)
    const unchanged = await get(path, { 'if-none-match': String(plain.headers.etag) })
    t.equal(unchanged.status, 304)
    t.equal(unchanged.headers.etag, plain.headers.etag)
  }
})

t.test('small answers, pictures, PDFs and event streams are not compressed', async (t) => {
  const all = { 'accept-encoding': 'gzip, br' }
  const paths = [`${layer}/manifest`, `${layer}/download`, `${layer}/render/pages/obj:3/data?format=png`, '/healthz']
  for (const path of paths) t.equal((await get(path, all)).headers['content-encoding'], undefined, path)
  const { hostname, port } = new URL(server.url)
  const headers = { authorization: `Bearer ${server.apiToken}`, ...all }
  const encoding = await new Promise((resolve, reject) => {
    const stream = request({ hostname, port, path: `${layer}/events`, headers }, (answer) => {
      resolve(answer.headers['content-encoding'])
      answer.destroy()
    })
    stream.once('error', reject).end()
  })
  t.equal(encoding, undefined)
})

t.test('coding preferences follow Accept-Encoding', async (t) => {
  const cases: Readonly<Record<string, string | undefined>> = {
    '': undefined,
    identity: undefined,
    deflate: undefined,
    gzip: 'gzip',
    'GZIP;q=0.1': 'gzip',
    'br, gzip': 'br',
    'br;q=0.5, gzip': 'gzip',
    '*': 'br',
    'br;q=0, *': 'gzip',
    'gzip;q=0, br;q=0': undefined,
    'gzip;q=x': undefined,
  }
  for (const [header, coding] of Object.entries(cases)) {
    t.equal(codingFor({ headers: { 'accept-encoding': header } }), coding, header)
  }
})
