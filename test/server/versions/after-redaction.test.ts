// Every read, of every version, with every kind of credential, after a redaction that was signed: whoever is shown the
// redacted document gets nothing of the version before it, unless `doc.unredacted` is among their own rights.
import t from 'tap'
import { canHaveLink } from '../../../server/links/linked-reads.js'
import { transact } from '../../../server/storage/transaction.js'
import { everyUsualCapability } from '../../../workers/contract/capabilities.js'
import { scratchFolder } from '../../cli/scratch.js'
import { numbered } from '../../support/pdf/form-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { change, outcomes, titled } from '../changes/support/changing.js'
import { sign } from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { everyRequest, namesOf, type SentRequest } from '../support/every-operation.js'
import { done, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'

const folder = scratchFolder(t, 'data')
const server = await runServer(t, { folder })
const { api } = server
const page = numbered(3)
const content = 'BT /F1 20 Tf 20 150 Td (secret) Tj ET BT /F1 20 Tf 20 50 Td (public) Tj ET'
const word = Buffer.from('secret').toString('base64url')
const origin = { origin: 'https://app.example.com' }

const docId = await server.upload(onePage(content, { resources: helvetica }), { docId: 'report' })
const everyRight = ['*', ...everyUsualCapability, 'annotations:*:all']
const layers = ['legal', 'default', 'merged', 'behind'] as const
type LayerName = (typeof layers)[number]
const tokenOf = (layerName: LayerName, scope: readonly string[] = everyRight) =>
  server.documentToken(docId, scope, { layerName, sub: `reader of ${layerName}` })
const sessionOf = async (layerName: LayerName) => {
  const request = { docId, layerName, scope: everyRight }
  const shareToken = (await api.post('/v1/tenants/acme/shares', request).then(done)).word('/share/id')
  return (await api.post('/v1/share-sessions', { shareToken }, origin).then(done)).word('/token')
}
// Before the redaction: credentials and links, and layers with edits.
const old = await Promise.all(layers.map(async (layerName) => [layerName, await tokenOf(layerName)] as const))
const uploaded = (await api.get(`/v1/docs/${docId}/versions`).then(done)).word('/head')
const linkPath = `/v1/docs/${docId}/versions/download/${uploaded}`
const oldLink = await api
  .as(old.find(([name]) => name === 'default')?.[1])
  .post(`/v1/docs/${docId}/layers/default/links`, { url: linkPath, expiresIn: 600 })
  .then(done)
for (const layerName of ['behind', 'legal']) {
  const request = { size: { width: 100, height: 100 }, position: 'end' }
  await api.post(`/v1/docs/${docId}/layers/${layerName}/pages/insert-blank`, request).then(done)
}
const data = { subtype: 'redact', rect: { x: 0, y: 0, width: 300, height: 100 } }
for (const [layerName, op] of [
  ['merged', titled('Mine')],
  ['legal', { type: 'annotations.create', page, data }],
] as const) {
  const answer = await change(api, { docId, layerName }, { opId: 'own', ops: [op] })
  if (outcomes(answer)[0] !== 'applied') throw new Error(answer.text)
}
await api.post(`/v1/docs/${docId}/layers/legal/redactions/apply`, { pages: [page] }).then(done)
const signed = await sign({ docId, layerName: 'legal', api }, { field: { kind: 'fqn', name: 'f' } })
const [before, after] = [uploaded, signed.word('/version/sha256')]

t.test('before it is signed, a redacted layer names no hash of the uploaded file', async (t) => {
  const own = await server.upload(onePage(`${content} `, { resources: helvetica }))
  const [sha] = Object(done(await api.get(`/v1/docs/${own}/versions`)).at('/versions'))
  const mark = { type: 'annotations.create', page, data: { ...data, rect: { x: 0, y: 0, width: 300, height: 70 } } }
  await change(api, { docId: own }, { opId: 'mark', ops: [mark] })
  await api.post(`/v1/docs/${own}/layers/default/redactions/apply`, {}).then(done)
  const client = api.as(await server.documentToken(own, everyRight))
  for (const { operation, path, title } of everyRequest({ ...namesOf(own), layerName: 'default' })) {
    if (operation.method !== 'GET' || operation.isEndless) continue
    t.notMatch((await client.get(path, origin)).bytes.toString('latin1'), sha.sha256, title)
  }
  const shown = done(await client.get(`/v1/docs/${own}/layers/default/manifest`)).word('/baseSha')
  t.same(done(await client.get(`/v1/docs/${own}/versions`)).json(), { head: shown, versions: [] })
})

interface Reader {
  readonly title: string
  readonly layerName: LayerName
  readonly client: Client
  readonly seesAll: boolean
}
const readers: readonly Reader[] = [
  { title: 'the API token', layerName: 'default', client: api, seesAll: true },
  ...old.map(([layerName, token]) => reader(`an old token of ${layerName}`, layerName, token)),
  ...(await Promise.all(
    layers.flatMap((layerName) => [
      tokenOf(layerName).then((token) => reader(`a token of ${layerName}`, layerName, token)),
      sessionOf(layerName).then((token) => reader(`a session of a share of ${layerName}`, layerName, token)),
    ]),
  )),
  ...(await Promise.all(
    layers.map(async (layerName) => ({
      ...reader(
        `a token of ${layerName} with doc.unredacted`,
        layerName,
        await tokenOf(layerName, ['*', 'doc.unredacted']),
      ),
      seesAll: true,
    })),
  )),
  {
    title: 'a tenant token',
    layerName: 'default',
    client: api.as(await server.tenantToken('acme', ['*'])),
    seesAll: false,
  },
]

/** A layer that stays behind shows the version before. */
function reader(title: string, layerName: LayerName, token: string): Reader {
  return { title, layerName, client: api.as(token), seesAll: layerName === 'behind' }
}

const readsFor = (layerName: LayerName, sha: string): readonly SentRequest[] => {
  const names = {
    ...namesOf(docId),
    layerName,
    sha,
    fieldKey: 'Zg',
    token: `epoch=0,format=segments1,q=${word}`,
    key: word,
  }
  return everyRequest(names)
    .filter(({ operation: { method, isEndless = false, name } }) => {
      return method === 'GET' && !isEndless && name !== 'deployment.backup'
    })
    .map((one) => (one.operation.name.endsWith('.analysis') ? { ...one, path: `${one.path}?since.revision=0` } : one))
}

const ofVersion = ({ path }: SentRequest['operation']): boolean => /:sha\b/.test(path)

t.test('no read of any version gives the redacted word to whoever is shown the redacted document', async (t) => {
  for (const { title, layerName, client, seesAll } of readers) {
    for (const [version, sha] of Object.entries({ before, after })) {
      for (const { operation, path, title: request } of readsFor(layerName, sha)) {
        const answer = await client.get(path, origin)
        const said = `${title}: ${request} of the version ${version}: ${answer.status}`
        t.not(answer.status, 500, said)
        if (seesAll) continue
        t.notMatch(answer.bytes.toString('latin1'), /secret/, said)
        t.notMatch(answer.text, before, `${said}, without the hash`)
        if (ofVersion(operation) && version === 'before') t.equal(answer.status, 403, said)
      }
    }
  }
})

t.test('the version that was redacted is there for all, the one before for those who were given it', async (t) => {
  for (const { title, client, seesAll } of readers) {
    if (title === 'a tenant token') continue
    const versions = `/v1/docs/${docId}/versions`
    const statusOf = async (path: string) => (await client.get(`${versions}/${path}`, origin)).status
    for (const path of [`download/${after}`, `revisions/${after}/0`, `signatures/${after}`]) {
      t.equal(await statusOf(path), 200, `${title}: ${path}`)
    }
    t.equal(await statusOf(`analysis/${after}?since.signature=0`), 200, title)
    for (const path of [`download/${before}`, `revisions/${before}/0`, `signatures/${before}`]) {
      t.equal(await statusOf(path), seesAll ? 200 : 403, `${title}: ${path}`)
    }
    const numbers = Object((await client.get(versions, origin)).at('/versions')).map(
      ({ number }: { readonly number: number }) => number,
    )
    t.same(numbers, seesAll ? [1, 2] : [2], `${title}: the list`)
  }
})

t.test('a link gives no more than the token that it was made with', async (t) => {
  t.equal((await api.as(undefined).get(oldLink.word('/url'))).status, 403, 'made before the redaction')
  for (const { title, layerName, client, seesAll } of readers) {
    if (title === 'a tenant token') continue
    for (const { operation, path, title: request } of readsFor(layerName, before)) {
      if (!canHaveLink(operation) || !ofVersion(operation) || path.includes('@')) continue
      const made = await client.post(`/v1/docs/${docId}/layers/${layerName}/links`, { url: path }, origin)
      if (made.status !== 200) continue
      const answer = await api.as(undefined).get(made.word('/url'))
      if (seesAll) t.not(answer.status, 403, `${title}: ${request}`)
      else t.equal(answer.status, 403, `${title}: ${request}`)
    }
  }
})

t.test('a refusal does not tell which hashes are of versions from before the redaction', async (t) => {
  const guess = 'ab'.repeat(32)
  for (const { title, client, seesAll } of readers) {
    if (title === 'a tenant token') continue
    for (const path of [`download/`, 'revisions/', 'signatures/', 'analysis/']) {
      const ask = async (sha: string) => {
        const end = { 'revisions/': '/0', 'analysis/': '?since.revision=0' }[path] ?? ''
        const answer = await client.get(`/v1/docs/${docId}/versions/${path}${sha}${end}`, origin)
        return `${answer.status} ${answer.text.replaceAll(sha, 'SHA')}`
      }
      if (seesAll) t.match(await ask(guess), /^404 /, `${title}: ${path}`)
      else t.equal(await ask(guess), await ask(before), `${title}: ${path}`)
    }
  }
})

t.test('the event of a layer that moved over the redaction names no hash from before it', async (t) => {
  const [layerName, client] = ['merged', api.as(await tokenOf('merged'))] as const
  t.same(outcomes(await change(client, { docId, layerName }, { opId: 'more', ops: [titled('More')] })), ['applied'])
  const events = await EventReader.open(client, `/v1/docs/${docId}/layers/${layerName}/events`, {
    'last-event-id': '0',
  })
  const found = []
  while (found.at(-1)?.data['idempotencyKey'] !== 'more') found.push(...(await events.take(1)))
  await events.close()
  const moved = found.find(({ data }) => data['kind'] === 'document.versioned')
  t.match(moved?.data, { payload: { version: { sha256: after }, previous: { baseSha256: null } } })
  t.notMatch(JSON.stringify(found), before)
  t.notMatch(signed.text, before, 'nor does the answer to the signature')
})

t.test('the rule holds for later versions, and for rows that older servers stored', async (t) => {
  const signed = await sign({ docId, layerName: 'merged', api }, { field: { kind: 'fqn', name: 'g' } })
  const later = signed.word('/version/sha256')
  const states = async (client: Client) => {
    const of = async (sha: string) => (await client.get(`/v1/docs/${docId}/versions/download/${sha}`)).status
    return [await of(before), await of(after), await of(later)]
  }
  const token = await tokenOf('default')
  t.same(await states(api.as(token)), [403, 200, 200])
  await server.close()
  const storage = await openScene(folder)
  const { tables } = storage
  let marked = 0
  for await (const { key, row } of tables.versions.range([])) {
    if (row.redactedUntil) marked++
    const { redactedUntil: _, ...older } = row
    await transact(storage, async (transaction) => {
      await transaction.read(tables.versions.at(key))
      transaction.put(tables.versions.at(key), older)
    })
  }
  t.equal(marked, 2)
  await storage.close()
  const again = await runServer(t, { folder })
  t.same(await states(again.api.as(token)), [403, 200, 200], 'derived from the signing')
  t.same(await states(again.api), [200, 200, 200])
})
