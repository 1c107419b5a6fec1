// Large bodies: they are refused before they cost much, and those that are held open take no more memory than a share.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { eventually } from '../../support/eventually.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const docId = await server.upload(onePage('0 0 10 10 re f'))
const layer = `/v1/docs/${docId}/layers/default`

async function refused(path: string, body: string, token = server.apiToken) {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body,
  })
  const text = await answer.text()
  return { status: answer.status, text, message: String(JSON.parse(text).error?.message) }
}

t.test('a name of megabytes is neither compared with known ones nor repeated in the answer', async (t) => {
  const long = 'q'.repeat(3_000_000)
  const create = (opId: string, data: object) =>
    JSON.stringify({ changes: [{ opId, ops: [{ type: 'annotations.create', data }] }] })
  const bodies = [create('a', { [long]: 1 }), create('b', { subtype: long }), JSON.stringify({ [long]: [] })]
  for (const body of bodies) {
    const { text } = await refused(`${layer}/changes`, body)
    t.match(text, /InvalidArg/)
    t.ok(text.length < 4000, `${text.length} characters`)
  }
})

t.test('a body that takes long to parse is refused unparsed', async (t) => {
  const numbers = refused(`${layer}/changes`, `{"changes":[${'1,'.repeat(limits.jsonValuesMax)}1]}`)
  t.match(await numbers, { status: 400, message: /more than 1000000 values/ })
  const nested = refused(`${layer}/changes`, '['.repeat(7_000_000))
  t.match(await nested, { status: 400, message: /nested deeper than 100 levels/ })
  const text = JSON.stringify({ changes: `${'[{,'.repeat(limits.jsonValuesMax)}\\"` })
  t.match(await refused(`${layer}/changes`, text), { status: 400, message: /body \/changes/ }, 'brackets within a text')
})

t.test('a body that changes no document is small', async (t) => {
  const body = (bytes: number) => JSON.stringify({ a: ' '.repeat(bytes) })
  for (const path of ['access', 'links', 'object-numbers']) {
    t.equal((await refused(`${layer}/${path}`, body(limits.anonymousBodyBytesMax))).status, 413, path)
  }
  t.equal((await refused('/v1/tenants', body(limits.plainBodyBytesMax))).status, 413)
  t.equal((await refused('/v1/tenants/acme/tokens', body(limits.plainBodyBytesMax))).status, 413)
})

t.test('bodies that arrive slowly take the share of their sender, and nobody else’s', async (t) => {
  const scope = ['doc.open', 'doc.annotate.modify']
  const [slow, other] = [await server.documentToken(docId, scope), await server.documentToken(docId, scope)]
  const bytes = limits.jsonBodyBytesMax
  // A tenant has half of all bytes, and a token half of these.
  const places = Math.floor(limits.receivedBodyBytesMax / 4 / bytes)
  const held: Socket[] = []
  t.teardown(() => held.forEach((socket) => void socket.destroy()))
  const open = () => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    held.push(socket)
    const head = [`POST ${layer}/changes HTTP/1.1`, 'Host: x', `Authorization: Bearer ${slow}`]
    socket.write([...head, 'Content-Type: application/json', `Content-Length: ${bytes}`, '', '{'].join('\r\n'))
    return once(socket, 'data')
  }
  const [answer] = await Promise.race(Array.from({ length: places + 1 }, open))
  t.match(String(answer), /^HTTP\/1\.1 503 .*\nretry-after: \d+/is)
  const small = JSON.stringify({ changes: [] })
  t.equal((await refused(`${layer}/changes`, small, slow)).status, 503, 'of the same token')
  t.equal((await refused(`${layer}/changes`, small, other)).status, 400, 'of another one')
  t.equal((await api.get('/readyz')).status, 200)
  for (const socket of held) socket.destroy()
  await eventually(async () => (await refused(`${layer}/changes`, small, slow)).status === 400)
})
