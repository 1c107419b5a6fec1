// Links open one picture or file for a short time, without a header, with the rights of the token that made them.
import t, { type Test } from 'tap'
import { needs } from '../support/pdf/judges.js'
import { lockedPdf } from '../support/pdf/locked-pdf.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import type { Client } from './support/client.js'
import { done, runServer, type TokenRequest } from './support/running-server.js'

const server = await runServer(t, { settings: { logLevel: 'debug' } })
const { api, clock } = server
const nobody = api.as(undefined)
const pdf = onePage('0 0 100 100 re f')
const id = await server.upload(pdf)
await server.upload(pdf, { docId: 'other' })
const layerOf = (docId: string, layer = 'default') => `/v1/docs/${docId}/layers/${layer}`
const picture = `${layerOf(id)}/render/pages/obj:3/data?format=png&viewport.kind=width&viewport.width=100`
const download = `${layerOf(id)}/download`

const reader = async (scope: readonly string[] = ['*'], more: TokenRequest = {}, docId = id) =>
  api.as(await server.documentToken(docId, scope, more))

interface LinkOf {
  readonly by?: Client
  readonly docId?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly expiresIn?: number
}

const ask = (url: string, { by = api, docId = id, headers = {}, ...body }: LinkOf = {}) =>
  by.send(`${layerOf(docId)}/links`, { method: 'POST', json: { url, ...body }, headers })
const linkTo = async (url: string, how: LinkOf = {}) => done(await ask(url, how)).word('/url')

const ends = async (t: Test, link: string, what: string) => {
  const { status, code } = await nobody.get(link)
  t.same([status, code], [401, 'Unauthenticated'], what)
}

t.test('a link opens the picture and the file, whole and by ranges, for whoever has it', async (t) => {
  for (const by of [api, await reader(['doc.open', 'doc.render', 'doc.download'])]) {
    const [drawn, shown] = await Promise.all([api.get(picture), nobody.get(await linkTo(picture, { by }))])
    t.equal(shown.status, 200)
    t.same(shown.bytes, drawn.bytes)
    t.equal(shown.headers.get('referrer-policy'), 'no-referrer')
    const link = await linkTo(download, { by })
    t.same((await nobody.get(link)).bytes, pdf)
    const part = await nobody.get(link, { range: 'bytes=1-3' })
    t.same([part.status, part.text], [206, 'PDF'])
    const head = await nobody.send(link, { method: 'HEAD' })
    t.same([head.status, head.headers.get('content-length')], [200, String(pdf.length)])
  }
})

t.test('a link of a pinned read may be stored by the browser', async (t) => {
  const pin = done(await api.get(`${layerOf(id)}/manifest`)).at('/pages/0/cache/contentVersion')
  const pinned = `${layerOf(id)}/render/pages/obj:3/data@contentVersion=${pin},format=png,viewport.kind=width,viewport.width=80`
  const answer = await nobody.get(await linkTo(pinned))
  t.equal(answer.status, 200, answer.text.slice(0, 200))
  t.match(answer.headers.get('cache-control'), 'immutable')
})

t.test('a link opens nothing else', async (t) => {
  const link = await linkTo(picture)
  const text = new URL(link, 'http://x').searchParams.get('link') ?? ''
  const other = Buffer.from(text, 'base64url')
  other[20] = (other[20] ?? 0) ^ 1
  for (const [url, what] of [
    [`${picture.replace('=100', '=101')}&link=${text}`, 'another size'],
    [`${picture}&x=1&link=${text}`, 'a further parameter'],
    [`${download}?link=${text}`, 'another read'],
    [`${picture.replace(id, 'other')}&link=${text}`, 'another document'],
    [`${picture.replace('default', 'mine')}&link=${text}`, 'another layer'],
    [`${picture}&link=${other.toString('base64url')}`, 'a changed text'],
    [`${picture}&link=`, 'an empty text'],
    [`${picture}&link=${'a'.repeat(5000)}`, 'a long text'],
    [`${layerOf(id)}/manifest?link=${text}`, 'a read of JSON'],
  ] as const) {
    await ends(t, url, what)
  }
  const posted = await nobody.send(`${layerOf(id)}/pages/delete?link=${text}`, { method: 'POST', json: {} })
  t.equal(posted.status, 401, 'a change')
  const foreign = await nobody.get(link, { authorization: 'Bearer nonsense' })
  t.equal(foreign.status, 401, 'a header takes precedence')
})

t.test('a proxy may escape characters of the address in another way', async (t) => {
  const link = await linkTo(picture)
  t.equal((await nobody.get(link.replace('obj:3', 'obj%3A3').replace('width', '%77idth'))).status, 200)
})

t.test('a link is refused for what the token itself may not read', async (t) => {
  const narrow = await reader(['doc.open', 'doc.render'])
  for (const [url, how, status, code] of [
    [download, { by: narrow }, 403, 'Forbidden'],
    [`${layerOf(id)}/manifest`, {}, 400, 'InvalidArg'],
    [`${layerOf('other')}/download`, {}, 400, 'InvalidArg'],
    [`${layerOf(id, 'mine')}/download`, {}, 400, 'InvalidArg'],
    [`${layerOf(id)}/events`, {}, 400, 'InvalidArg'],
    ['https://example.com/v1/docs/x', {}, 400, 'InvalidArg'],
    ['/v1/tenants/acme', {}, 400, 'InvalidArg'],
    [`${layerOf(id)}/%ZZ/download`, {}, 400, 'InvalidArg'],
    [await linkTo(download), {}, 400, 'InvalidArg'],
    [download, { expiresIn: 901 }, 400, 'InvalidArg'],
    [download, { expiresIn: 9 }, 400, 'InvalidArg'],
  ] as const) {
    const answer = await ask(url, how)
    t.same([answer.status, answer.code], [status, code], url)
  }
  const origins = Array.from(
    { length: 20 },
    (_, index) => `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}${index}.example`,
  )
  const long = await reader(['*'], { origins })
  t.match((await ask(picture, { by: long })).text, 'too many origins')
  // Scopes of annotations imply that all can be read.
  const own = await reader(['doc.open', 'doc.render', 'annotations:update:self'], { userId: 'u1' })
  const shown = picture.replace('/render/', '/render/annotations/')
  t.equal((await nobody.get(await linkTo(shown, { by: own }))).status, 200)
  const groups = Array.from({ length: 60 }, (_, index) => `${'g'.repeat(40)}${index}`)
  t.equal((await ask(picture, { by: await reader(['*'], { groups }) })).status, 200)
})

t.test('a link ends after its time, with its token, and with its tenant', async (t) => {
  const by = await reader(['*'], { expiresIn: 60 })
  const answer = done(await ask(picture, { by, expiresIn: 600 }))
  t.ok(Number(answer.at('/expiresAt')) <= clock.now() / 1000 + 60, 'a link ends with its token at the latest')
  const [short, long] = [answer.word('/url'), await linkTo(picture, { expiresIn: 900 })]
  clock.advance(61_000)
  await ends(t, short, 'the token has ended')
  t.equal((await nobody.get(long)).status, 200)
  clock.advance(850_000)
  await ends(t, long, 'the link has ended')

  const issued = done(
    await api.post('/v1/tenants/acme/tokens', { kind: 'doc', sub: 'ada', docId: id, scope: ['*'], expiresIn: 600 }),
  )
  const revoked = await linkTo(picture, { by: api.as(issued.word('/token')) })
  t.equal((await nobody.get(revoked)).status, 200)
  done(await api.post(`/v1/tenants/acme/tokens/${issued.word('/jti')}/revoke`, {}))
  await ends(t, revoked, 'the token was revoked')

  const link = await linkTo(picture)
  done(await api.post('/v1/tenants/acme/suspend'))
  t.equal((await nobody.get(link)).status, 403)
  done(await api.post('/v1/tenants/acme/resume'))
  t.equal((await nobody.get(link)).status, 200)
})

t.test('a link to an encrypted document needs no password of its own', needs('qpdf'), async (t) => {
  const docId = await server.upload(lockedPdf(t, pdf, { user: 'sesame-3391', owner: 'owner-5527' }))
  const url = picture.replace(id, docId)
  const by = await reader(['*'], {}, docId)
  t.equal((await ask(url, { by, docId })).code, 'DocPasswordRequired')
  done(await by.post(`${layerOf(docId)}/access`, { password: 'sesame-3391' }))
  t.equal((await nobody.get(await linkTo(url, { by, docId }))).status, 200)
  const password = { 'x-document-password': Buffer.from('sesame-3391').toString('base64') }
  t.equal((await ask(url, { docId })).code, 'DocPasswordRequired')
  const link = await linkTo(url, { docId, headers: password })
  const answer = await nobody.get(link)
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.notMatch(link, 'sesame')
})

t.test('neither the log nor the link shows who made it', async (t) => {
  const by = await reader(['*'], { sub: 'ada-lovelace', displayName: 'Ada Lovelace' })
  const link = await linkTo(picture, { by })
  await nobody.get(link)
  const text = new URL(link, 'http://x').searchParams.get('link') ?? ''
  t.notMatch(Buffer.from(text, 'base64url').toString('latin1'), 'ada-lovelace')
  t.notOk(server.log().includes(text))
  t.match(server.log(), 'doc.links.create')
})
