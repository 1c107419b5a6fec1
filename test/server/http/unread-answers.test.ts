// Every response without credential, and every large one, is requested many times over many connections and never read: the
// memory of the server stays bounded, and other clients are answered.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { operations } from '../../../server/api/index.js'
import { scratchFolder } from '../../cli/scratch.js'
import { helvetica, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { growthDuring, withoutMemory } from '../../support/resident-memory.js'
import { spawnServer } from '../crash/held-server.js'
import type { Client } from '../support/client.js'
import { done, makers } from '../support/running-server.js'

const megabyte = 1_000_000
const pageCount = 2000
const anonymousPaths = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/docs/',
  '/docs/json',
  '/docs/yaml',
  '/docs/static/swagger-initializer.js',
  '/docs/static/swagger-ui-bundle.js',
  '/docs/static/theme/icon.svg',
  '/errors',
  '/openapi.json',
  '/nothing',
]

t.test('unread responses use bounded memory, and do not delay others', { skip: withoutMemory }, async (t) => {
  const { api, pid, end } = await spawnServer(scratchFolder(t))
  t.teardown(() => end('SIGKILL'))
  const docId = await makers(api).upload(largePdf(), { docId: 'large' })
  const layer = `/v1/docs/${docId}/layers/default`
  const large = [
    `${layer}/manifest`,
    `${layer}/layout`,
    `${layer}/annotations/items`,
    `${layer}/annotations/pages/obj:${firstPage}/items`,
    `${layer}/text/pages/obj:${firstPage}/data`,
    `${layer}/download`,
    `/v1/tenants/acme/documents/${docId}/download`,
    `${layer}/render/pages/obj:${firstPage}/data?viewport.scale=4`,
    `${layer}/events`,
  ]
  for (const path of large) done(await api.get(path))
  const anonymous = anonymousPaths.map((path) => requestOf('GET', path))
  const withToken = large.map((path) => requestOf('GET', path, api.token))
  for (const text of [...anonymous, ...ofNobody(), ...withToken]) {
    const [name = ''] = text.split(' HTTP/')
    await t.test(name, async (t) => {
      const growth = await growthDuring(pid, () => unread(t, api, text))
      t.ok(growth < 250 * megabyte, `${Math.round(growth / megabyte)} MB more`)
    })
  }
  t.equal((await api.get('/readyz')).status, 200)
})

/** Opens connections with as many pipelined requests as allowed and with more, and reads nothing, while others are served. */
async function unread(t: Test, api: Client, text: string): Promise<void> {
  const { hostname, port } = new URL(api.url)
  const sockets: Socket[] = []
  for (let count = 0; count < 14; count += 1) {
    const socket = connect(Number(port), hostname).pause()
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text.repeat(count < 2 ? 1700 : 64))
    sockets.push(socket)
  }
  for (let count = 0; count < 10; count += 1) t.equal((await api.get('/healthz')).status, 200)
  for (const socket of sockets) socket.destroy()
  t.equal((await api.get('/healthz')).status, 200)
}

function requestOf(method: string, path: string, token?: string): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const length = method === 'GET' ? '' : 'Content-Length: 0\r\n'
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\n${authorization}${length}\r\n`
}

/** Operations of the table that need no credential. */
const ofNobody = (): readonly string[] =>
  operations.filter(({ authority }) => authority.kind === 'none').map(({ method, path }) => requestOf(method, path))

const firstPage = 10

/** PDF with many pages, long text and many notes on the first, and padding that makes downloads large. */
function largePdf(): Buffer {
  const notes = Array.from({ length: 2000 }, (_, place) => firstPage + pageCount + place)
  const numbers = Array.from({ length: pageCount }, (_, place) => firstPage + place)
  const lines = Array.from({ length: 500 }, (_, line) => `BT /F1 6 Tf 20 ${line} Td (${'word '.repeat(40)}) Tj ET`)
  const references = (all: readonly number[]) => all.map((number) => `${number} 0 R`).join(' ')
  const full = `/Contents 3 0 R/Annots[${references(notes)}]`
  const page = (number: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 500]/Resources<<${helvetica}>>${number === firstPage ? full : ''}>>`
  const note = `<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(${'note '.repeat(100)})>>`
  const objects: RawObjects = {
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: `<</Type/Pages/Kids[${references(numbers)}]/Count ${pageCount}>>`,
    3: { body: '<<>>', stream: lines.join('\n') },
    4: { body: '<<>>', stream: 'x'.repeat(20 * megabyte) },
    ...Object.fromEntries(numbers.map((number) => [number, page(number)])),
    ...Object.fromEntries(notes.map((number) => [number, note])),
  }
  return rawPdf(objects)
}
