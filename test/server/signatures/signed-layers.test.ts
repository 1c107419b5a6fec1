// Effects of a published signature on layers: reads, downloads, pins and names, further edits, undo, events, redacted layers,
// stored bytes, checks, backups and deletion.
import { join } from 'node:path'
import t from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import { writeBackup } from '../../../server/backup/backup.js'
import { restoreBackup } from '../../../server/backup/restore.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { Orphans } from '../../../server/expiry/orphans.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes, titled, titleOf } from '../changes/support/changing.js'
import type { Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { done, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { commit, sha256Of } from '../support/uploads.js'
import { cancel, complete, download, field, popplerVerdicts, prepare, sign } from './support/signing.js'

const folder = scratchFolder(t, 'data')
const server = await runServer(t, { folder })
const { api, upload, clock } = server
const page = { kind: 'objectNumber', objectNumber: 3 }
const square = (x: number) => ({
  type: 'annotations.create',
  page,
  data: { subtype: 'square', box: { x, y: 20, width: 40, height: 40 } },
})
const items = async (client: Client, docId: string, layerName = 'default') => {
  const list = await client.get(`${layerPath({ docId, layerName })}/annotations/pages/obj:3/items`).then(done)
  return Object(list.at('/annotations')) as readonly { readonly ref: object; readonly subtype: string }[]
}

t.test('after a completion the layer has the same content, accepts edits, and undoes only those', async (t) => {
  const docId = await upload(onePage('% after'))
  const client = { api, docId }
  await change(api, client, { opId: 'a', ops: [square(20)] }, { opId: 'b', ops: [titled('Signed')] })
  const picture = `${layerPath({ docId })}/render/annotations/pages/obj:3/data`
  const before = { bytes: (await api.get(picture).then(done)).bytes, items: await items(api, docId) }
  const completed = await sign(client, field('f'))
  t.same(completed.at('/meta'), {
    affectedPages: [page],
    cacheDelta: Object(completed.at('/meta/cacheDelta')),
    opId: completed.at('/meta/opId'),
    undoable: false,
  })
  t.ok((await api.get(picture)).bytes.equals(before.bytes), 'the page looks as before')
  t.same((await items(api, docId)).slice(0, 1), before.items)
  t.equal(await titleOf(api, client), 'Signed')
  const manifest = (await api.get(`${layerPath({ docId })}/manifest`)).json()
  t.match(manifest, { baseSha: completed.at('/version/sha256'), working: false, layerVersion: 3 })
  const file = await download(client)
  const version = await api.get(`/v1/docs/${docId}/versions/download/${completed.word('/version/sha256')}`)
  t.ok(file.equals(version.bytes), 'a layer without pending edits is downloaded as the version')
  const [undo] = [await change(api, client, { opId: 'undo', undoOf: 'a' })]
  t.same(outcomes(undo), ['UndoUnavailable'])
  t.match(undo.text, /base-changed/)
  t.same(outcomes(await change(api, client, { opId: 'c', ops: [titled('Later')] })), ['applied'])
  const later = await download(client)
  t.ok(later.subarray(0, file.length).equals(file), 'the signed bytes are the beginning')
  if (!needs('pdfsig').skip) t.match(popplerVerdicts(t, later), [{ isValid: true, isTotal: false }])
  t.same(outcomes(await change(api, client, { opId: 'undo-c', undoOf: 'c' })), ['applied'])
  t.equal(await titleOf(api, client), 'Signed')
})

t.test('a layer without edits follows the head, under pins of its own', async (t) => {
  const docId = await upload(onePage('% follows'))
  const read = async () => {
    const manifest = (await api.get(`${layerPath({ docId, layerName: 'reader' })}/manifest`).then(done)).json()
    const { docVersion, pages, scopes } = Object(manifest)
    return { docVersion, pages, scopes }
  }
  const before = await read()
  const inherited = (pin: number) => `/v1/docs/${docId}/annotations/pages/obj:3/items@annotationVersion=${pin}`
  const pin = before.pages[0].cache.annotationVersion
  t.equal((await api.get(inherited(pin))).status, 200)
  const signing = { api, docId, layerName: 'signing' }
  await change(api, signing, { opId: 'a', ops: [square(20)] })
  await sign(signing, field('f'))
  const after = await read()
  t.ok(after.docVersion > before.docVersion)
  t.equal((await api.get(inherited(pin))).status, 404, 'cached content of the former version is not served any more')
  const now = await api.get(inherited(after.pages[0].cache.annotationVersion))
  t.equal(now.at('/annotations/0/subtype'), 'square')
  t.same(after.scopes, before.scopes)
  const signer = Object((await api.get(`${layerPath(signing)}/manifest`)).json())
  t.equal(signer.scopes.annotations, 'layer', 'its pins are not those of the head')
  t.ok(signer.docVersion > after.docVersion)
  await change(api, { docId, layerName: 'reader' }, { opId: 'b', ops: [square(80)] })
  t.equal((await items(api, docId, 'reader')).length, 3, 'square, widget, square')
})

t.test('the author of an annotation is known in every layer once it is signed', async (t) => {
  const docId = await upload(onePage('% authors'))
  const person = async (sub: string, layerName: string) => {
    const scope = ['doc.open', 'annotations:create:all', 'annotations:delete:self']
    return api.as(await server.documentToken(docId, scope, { sub, layerName, identity: { userId: sub } }))
  }
  const [signing, other] = ['signing', 'other'].map((layerName) => ({ docId, layerName }))
  if (!signing || !other) throw new Error('unreachable')
  await change(api, other, { opId: 'pending', ops: [square(60)] })
  t.same(outcomes(await change(await person('ada', 'signing'), signing, { opId: 'a', ops: [square(20)] })), ['applied'])
  const [made] = await items(api, docId, 'signing')
  await sign({ api, ...signing }, field('f'))
  for (const layerName of ['signing', 'other', 'unedited']) {
    const list = await items(api, docId, layerName)
    const found = list.find(({ ref }) => JSON.stringify(ref) === JSON.stringify(made?.ref))
    t.match(found, { userId: 'ada', createdBy: 'ada' }, layerName)
  }
  const remove = { type: 'annotations.delete', ref: made?.ref }
  t.same(
    outcomes(await change(await person('bob', 'other'), other, { opId: 'b', ops: [remove] })),
    ['Forbidden'],
    'not his',
  )
  t.same(outcomes(await change(await person('ada', 'other'), other, { opId: 'c', ops: [remove] })), ['applied'], 'hers')
})

t.test('an annotation that the upload stores inline keeps its name in every layer', async (t) => {
  const inline = '<</Type/Annot/Subtype/Square/Rect[10 10 40 40]/C[1 0 0]>>'
  const docId = await upload(onePage('% inline', { page: `/Annots[${inline}${inline}]` }))
  const named = { kind: 'baseIndex', page, baseIndex: 1 }
  const signing = { api, docId, layerName: 'signing' }
  const patch = { type: 'annotations.update', ref: named, patch: { contents: 'changed' } }
  t.same(outcomes(await change(api, signing, { opId: 'a', ops: [patch] })), ['applied'])
  await sign(signing, field('f'))
  for (const layerName of ['signing', 'reader']) {
    const refs = (await items(api, docId, layerName)).map(({ ref }) => ref)
    t.same(refs.slice(0, 2), [{ ...named, baseIndex: 0 }, named], layerName)
  }
  const again = { ...patch, patch: { contents: 'again' } }
  const changed = await change(api, { docId, layerName: 'reader' }, { opId: 'b', ops: [again] })
  t.same(outcomes(changed), ['applied'], changed.text)
  t.match((await items(api, docId, 'reader'))[1], { ref: named, contents: 'again' })
})

t.test('each step of a signing is an event', async (t) => {
  const docId = await upload(onePage('% events'))
  const client = { api, docId }
  const first = await prepare(client, field('f')).then(done)
  await cancel(client, first)
  const second = await prepare(client, field('f')).then(done)
  const completed = await complete(client, second).then(done)
  const events = await EventReader.open(api, `${layerPath({ docId })}/events`, { 'last-event-id': '0' })
  const seen = (await events.take(4)).map(({ data }) => data)
  await events.close()
  const [one, two] = [first.at('/signingId'), second.at('/signingId')]
  t.match(seen, [
    { kind: 'signature.prepare', payload: { ...Object(first.json()), field: { kind: 'fqn', name: 'f' } } },
    { kind: 'signature.cancel', payload: { signingId: one, status: 'cancelled' } },
    { kind: 'signature.prepare', payload: { signingId: two } },
    { kind: 'signature.complete', payload: { ...Object(completed.json()), signingId: two } },
  ])
})

t.test('a redacted layer signs its own base, and older versions stay closed to its readers', async (t) => {
  const content = 'BT /F1 20 Tf 20 150 Td (secret) Tj ET BT /F1 20 Tf 20 50 Td (public) Tj ET'
  const docId = await upload(onePage(content, { resources: helvetica }))
  const layer = { docId, layerName: 'redacted' }
  const reader = api.as(await server.documentToken(docId, ['*'], { layerName: 'redacted' }))
  const sha = (await reader.get(`${layerPath(layer)}/manifest`).then(done)).word('/baseSha')
  const data = { subtype: 'redact', rect: { x: 0, y: 0, width: 300, height: 100 } }
  await change(reader, layer, { opId: 'mark', ops: [{ type: 'annotations.create', page, data }] })
  done(await reader.post(`${layerPath(layer)}/redactions/apply`, { pages: [page] }))
  const signed = await sign({ ...layer, api: reader }, field('f'))
  const file = await download({ ...layer, api: reader })
  if (!needs('pdfsig').skip) t.match(popplerVerdicts(t, file), [{ isValid: true, isTotal: true }])
  t.notMatch(file.toString('latin1'), /secret/)
  t.equal((await reader.get(`/v1/docs/${docId}/versions/download/${sha}`)).code, 'Forbidden')
  t.equal((await reader.get(`/v1/docs/${docId}/versions/download/${signed.at('/version/sha256')}`)).status, 200)
  const replay = await change(reader, layer, { opId: 'mark', ops: [{ type: 'annotations.create', page, data }] })
  t.same(replay.at('/changes/0/result/items'), [], 'a withheld response stays withheld')
  t.match((await api.get(`${layerPath({ docId })}/text/pages/obj:3/data`)).at('/text'), /^\s*public\s*$/)
  await change(reader, layer, { opId: 'mark-again', ops: [{ type: 'annotations.create', page, data }] })
  done(await reader.post(`${layerPath(layer)}/redactions/apply`, { pages: [page] }))
  const again = await prepare({ ...layer, api: reader }, field('g'))
  t.equal(again.code, 'StaleBase', again.text)
})

t.test('pages that were inserted and moved are those of the version', async (t) => {
  const docId = await upload(onePage('% pages'))
  const path = layerPath({ docId, layerName: 'signing' })
  const size = { width: 100, height: 100 }
  await api.post(`${path}/pages/insert-blank`, { size, count: 2, position: 'start' }).then(done)
  const order = async (layerName: string) => {
    const { pages } = Object((await api.get(`${layerPath({ docId, layerName })}/manifest`)).json())
    return pages.map((one: { readonly page: object }) => one.page)
  }
  const before = await order('signing')
  t.equal(before.length, 3)
  await sign({ api, docId, layerName: 'signing' }, field('f'))
  t.same(await order('signing'), before)
  t.same(await order('reader'), before)
})

t.test('the same upload is still the same document', async (t) => {
  const pdf = onePage('% same')
  const docId = await upload(pdf)
  await sign({ api, docId }, field('f'))
  const again = await commit(api, docId, sha256Of(pdf))
  t.equal(again.status, 200, 'committing it again changes nothing')
})

t.test('rows and files are complete, also after a restore and after deletion', async (t) => {
  const open = await upload(onePage('% open'))
  const pending = await prepare({ api, docId: open }, field('f')).then(done)
  const expired = await upload(onePage('% expired'))
  await prepare({ api, docId: expired }, field('f')).then(done)
  const deleted = await upload(onePage('% deleted'))
  await sign({ api, docId: deleted }, field('f'))
  await prepare({ api, docId: deleted }, field('g')).then(done)
  t.equal((await api.delete(`/v1/tenants/acme/documents/${deleted}`)).status, 204)
  await server.close()
  const storage = await openScene(folder)
  const housekeeping = (aheadMs: number) =>
    new Housekeeping({
      storage,
      clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
      onFailure: (error) => t.fail(String(error)),
    })
  await housekeeping(0).deletions.resume()
  await new Orphans(storage).collect()
  const into = join(scratchFolder(t), 'backup')
  await writeBackup({ storage, into, digest: digestHere, clock: systemClock })
  const counted = async () => {
    let sections = 0
    for await (const { name } of storage.blobs.list()) if (name.endsWith('.section')) sections++
    const states: string[] = []
    for await (const { row } of storage.tables.signings.range([])) states.push(row.state)
    return { sections, open: states.filter((state) => state === 'open').length }
  }
  t.same(await counted(), { sections: 2, open: 2 })
  await housekeeping(16 * 60 * 1000).expire()
  t.same(await counted(), { sections: 0, open: 0 })
  await housekeeping(48 * 60 * 60 * 1000).expire()
  const left: string[] = []
  for await (const { row } of storage.tables.signings.range([])) left.push(row.state)
  t.same([...new Set(left)], ['completed'])
  await storage.close()
  const healthy = (where: string) =>
    checkStorage({ folder: where, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
  await healthy(folder)
  const restored = join(scratchFolder(t), 'restored')
  await restoreBackup({ from: into, folder: restored, digest: digestHere })
  await healthy(restored)
  const again = await runServer(t, { folder: restored, clock })
  t.equal((await complete({ api: again.api, docId: open }, pending)).status, 200, 'a signing survives a restore')
})
