// Reads of edited layers over HTTP: pins, independence of layers, authors, downloads, and reads concurrent with writes.
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { formPages, formPdf, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { change, type Layer, layerPath, outcomes, titled } from '../changes/support/changing.js'
import type { Answer, Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const folder = scratchFolder(t, 'layers')
const server = await runServer(t, { folder })
const { api } = server
const pdf = formPdf()
const plain = 10
const onSecondPage = 45

let opIds = 0
const filled = (field: number, value: string) => ({ type: 'forms.setValue', field: numbered(field), value: { value } })
async function make(layer: Layer, ...ops: readonly object[]): Promise<Answer> {
  opIds += 1
  const answer = done(await change(api, layer, { opId: `made-${opIds}`, ops }))
  t.same(outcomes(answer), ['applied'], answer.text.slice(0, 300))
  return answer
}
const read = async (layer: Layer, path: string, client: Client = api) =>
  done(await client.get(`${layerPath(layer)}/${path}`))
const json = async (layer: Layer, path: string) => Object((await read(layer, path)).json())
const newDocument = async (): Promise<Layer> => ({ docId: await server.upload(pdf) })

interface Field {
  readonly name: string
  readonly value: string
}

async function fieldOf(layer: Layer, name: string, path = 'form'): Promise<Field & Record<string, unknown>> {
  const { fields } = await json(layer, path)
  return fields.find((field: Field) => field.name === name)
}

t.test('a change sets exactly the pins of its effects to its docVersion', async (t) => {
  const layer = await newDocument()
  const before = await json(layer, 'manifest')
  const { docVersion: first } = before
  await make(layer, filled(plain, 'hello'))
  const after = await json(layer, 'manifest')
  t.equal(after.docVersion, first + 1)
  t.match(after, {
    layoutVersion: first,
    metadataVersion: first,
    attachmentsVersion: first,
    actionsVersion: first,
    formsVersion: first + 1,
    annotationsVersion: first + 1,
    layerVersion: 1,
    working: true,
    auditHead: 1,
    baseSha: before.baseSha,
    baseByteLength: pdf.length,
  })
  t.same(after.pages, [
    {
      page: numbered(formPages.first),
      cache: { contentVersion: first, annotationVersion: first + 1, widgetVersion: first + 1 },
    },
    {
      page: numbered(formPages.second),
      cache: { contentVersion: first, annotationVersion: first, widgetVersion: first },
    },
  ])
  t.match(after.scopes, { content: 'base', layout: 'base', metadata: 'base', annotations: 'layer', forms: 'layer' })
  t.equal(Object((await api.get(`/v1/docs/${layer.docId}/head`)).json()).docVersion, first + 1)
})

t.test('B3: layers over one version are independent, and an unedited one equals the upload', async (t) => {
  const { docId } = await newDocument()
  const [one, other, untouched] = ['one', 'other', 'untouched'].map((layerName) => ({ docId, layerName })) as [
    Layer,
    Layer,
    Layer,
  ]
  const before = await json(untouched, 'manifest')
  await make(one, filled(plain, 'from one'))
  await make(other, filled(plain, 'from other'), titled('Other'))
  await make(one, filled(plain, 'from one again'))
  t.equal((await fieldOf(one, 'plain')).value, 'from one again')
  t.equal((await fieldOf(other, 'plain')).value, 'from other')
  t.equal((await fieldOf(untouched, 'plain')).value, '')
  t.same(await json(untouched, 'manifest'), { ...before, auditHead: 3 }, 'only the log of the document went on')
  t.ok((await read(untouched, 'download')).bytes.equals(pdf))
  t.same(
    [(await json(one, 'metadata')).title, (await json(other, 'metadata')).title],
    [null, 'Other'],
    'metadata is separate too',
  )
})

t.test('a change without effect is logged, and the layer stays unedited', async (t) => {
  const layer = await newDocument()
  const before = await json(layer, 'manifest')
  const uploaded = await read(layer, 'download')
  const nothing = { type: 'forms.updateWidget', widget: widgetOn(3, plain), patch: {} }
  for (const ops of [[nothing], []]) {
    const answer = await make(layer, ...ops)
    t.match(answer.at('/changes/0/result/meta'), { cacheDelta: null, affectedPages: { length: 0 } })
  }
  t.same(await json(layer, 'manifest'), { ...before, auditHead: 2 }, 'only the log went on')
  t.same((await read(layer, 'download')).bytes, uploaded.bytes)
  const edited = await make(layer, filled(plain, 'Ada'))
  t.match(edited.at('/changes/0/result/meta/cacheDelta'), { layerVersion: 1, working: true })
  t.match(await json(layer, 'manifest'), { layerVersion: 1, working: true, auditHead: 3 })
  await make(layer, nothing)
  t.match(await json(layer, 'manifest'), { layerVersion: 1, working: true, auditHead: 4 })
})

t.test('an edit of one page leaves cached reads of another valid', async (t) => {
  const layer = await newDocument()
  const paths = ['render/fields/pages/obj:4/data', 'text/pages/obj:4/data', 'render/pages/obj:3/data', 'layout']
  const before = await Promise.all(paths.map((path) => read(layer, path)))
  const changing = 'render/fields/pages/obj:3/data'
  const picture = await read(layer, changing)
  await make(layer, filled(plain, 'on the first page'))
  const hits = async () => Number(/read-cache-miss"\} (\d+)/.exec((await api.get('/metrics')).text)?.[1])
  const missesBefore = await hits()
  for (const [index, path] of paths.entries()) {
    const current = before[index]?.headers.get('etag') ?? ''
    t.equal((await api.get(`${layerPath(layer)}/${path}`, { 'if-none-match': current })).status, 304, path)
  }
  t.equal(await hits(), missesBefore, 'nothing was computed again')
  t.notOk((await read(layer, changing)).bytes.equals(picture.bytes), 'the page that was edited shows it')
  await make(layer, { type: 'forms.setValue', field: numbered(42), value: { value: 'Byron' } })
  t.notOk((await read(layer, paths[0] ?? '')).bytes.equals(before[0]?.bytes ?? Buffer.alloc(0)))
})

t.test('a versioned URL answers for the current pin only, and without a layer only for pins of the base', async (t) => {
  const layer = await newDocument()
  const { docVersion: first } = await json(layer, 'manifest')
  await make(layer, filled(plain, 'x'))
  const status = async (path: string) => (await api.get(path)).status
  const path = layerPath(layer)
  const inherited = `/v1/docs/${layer.docId}`
  t.equal(await status(`${path}/form@formsVersion=${first}`), 404)
  t.equal(await status(`${path}/form@formsVersion=${first + 1}`), 200)
  t.equal(await status(`${inherited}/form@formsVersion=${first + 1}`), 404, 'URLs without a layer cannot contain edits')
  t.equal(await status(`${inherited}/layout@layoutVersion=${first}`), 200)
  t.equal(await status(`${inherited}/text/pages/obj:3/data@contentVersion=${first}`), 200)
  t.equal(await status(`${path}/render/fields/pages/obj:3/data@format=png,widgetVersion=${first}`), 404)
  t.equal(await status(`${path}/render/fields/pages/obj:3/data@format=png,widgetVersion=${first + 1}`), 200)
  t.equal(await status(`${path}/render/pages/obj:3/data?format=png&contentVersion=${first}`), 200)
})

t.test('auth 6: lists show who filled a field and who owns a widget, per layer', async (t) => {
  const layer = await newDocument()
  const identity = { userId: 'u-ada', displayName: 'Ada' }
  const token = await server.documentToken(layer.docId, ['*'], { ...identity })
  const answer = done(await change(api.as(token), layer, { opId: 'mine', ops: [filled(onSecondPage - 3, 'Lovelace')] }))
  t.same(outcomes(answer), ['applied'], answer.text)
  const field = await fieldOf(layer, 'person.last')
  t.match(field, { filledBy: 'u-ada', filledByName: 'Ada', filledAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ })
  t.match(answer.at('/changes/0/result/items/0/field'), { filledBy: 'u-ada', filledAt: field.filledAt })
  t.match(await fieldOf(layer, 'plain'), { filledBy: null, filledAt: null })
  t.match(await fieldOf({ ...layer, layerName: 'other' }, 'person.last'), { filledBy: null, value: '' })
})

const workshop = () => readdirSync(join(folder, 'workshop'))

t.test('a download is the uploaded file, followed by the edits', needs('qpdf'), async (t) => {
  const layer = await newDocument()
  const uploaded = await read(layer, 'download')
  t.ok(uploaded.bytes.equals(pdf), 'the layer is unedited')
  await make(layer, filled(plain, 'in the file'))
  const edited = await read(layer, 'download')
  const { bytes } = edited
  t.ok(bytes.subarray(0, pdf.length).equals(pdf))
  t.ok(bytes.length > pdf.length)
  t.equal(edited.headers.get('content-length'), String(bytes.length))
  t.equal(edited.headers.get('content-disposition'), `attachment; filename="${layer.docId}.pdf"`)
  const path = join(scratchFolder(t, 'download'), 'edited.pdf')
  writeFileSync(path, bytes)
  judged('qpdf', ['--check', path])
  const again: Layer = { docId: await server.upload(bytes) }
  t.equal((await fieldOf(again, 'plain')).value, 'in the file')

  const etag = edited.headers.get('etag') ?? ''
  t.not(etag, uploaded.headers.get('etag'))
  const ask = (headers: Readonly<Record<string, string>>) => api.get(`${layerPath(layer)}/download`, headers)
  t.equal((await ask({ 'if-none-match': etag })).status, 304)
  for (const [first, last] of [
    [0, 9],
    [pdf.length - 5, pdf.length + 4],
    [pdf.length, bytes.length - 1],
    [bytes.length - 1, bytes.length - 1],
    [pdf.length - 1, pdf.length - 1],
  ] as const) {
    const part = await ask({ range: `bytes=${first}-${last}`, 'if-range': etag })
    t.equal(part.status, 206)
    t.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${bytes.length}`)
    t.ok(part.bytes.equals(bytes.subarray(first, last + 1)), `${first}-${last}`)
  }
  t.equal((await ask({ range: `bytes=${bytes.length}-` })).status, 416)
  await make(layer, filled(plain, 'another'))
  const stale = await ask({ range: 'bytes=0-9', 'if-range': etag })
  t.equal(stale.status, 200, 'If-Range with another ETag returns the whole file')
  t.same(workshop(), [], 'no section is left behind')
})

t.test('extracted pages and appearances are those of the current layer', async (t) => {
  const layer = await newDocument()
  await make(layer, filled(plain, 'extracted'))
  const pages = { pages: [numbered(formPages.first)] }
  const extracted = done(await api.post(`${layerPath(layer)}/pages/extract`, pages))
  const again: Layer = { docId: await server.upload(extracted.bytes) }
  t.equal((await fieldOf(again, 'plain')).value, 'extracted')
  const appearance = await api.get(`${layerPath(layer)}/annotations/pages/obj:3/items/obj:10/resources/appearance`)
  t.equal(appearance.status, 200, 'the filled field has an appearance')
})

t.test('a read with a pin returns the value written with this pin, also during further writes', async (t) => {
  const layer = await newDocument()
  await make(layer, filled(plain, 'start'))
  const written = new Map<unknown, string>()
  const seen: [unknown, string][] = []
  let isWriting = true
  const reading = async () => {
    while (isWriting) {
      const { formsVersion, auditHead, docVersion, layerVersion } = await json(layer, 'manifest')
      t.equal(docVersion - layerVersion, formsVersion - layerVersion, 'every change here changes formsVersion')
      t.equal(auditHead, layerVersion)
      const answer = await api.get(`${layerPath(layer)}/form@formsVersion=${formsVersion}`)
      if (answer.status === 404) continue
      const fields: readonly Field[] = Object(done(answer).json()).fields
      seen.push([formsVersion, fields.find(({ name }) => name === 'plain')?.value ?? ''])
    }
  }
  const readers = [reading(), reading(), reading()]
  // Repeated until some read used its pin before the next write.
  for (let index = 0; index < 25 || (seen.length === 0 && index < 500); index++) {
    const answer = await make(layer, filled(plain, `value ${index}`))
    written.set(answer.at('/changes/0/result/meta/cacheDelta/formsVersion'), `value ${index}`)
  }
  isWriting = false
  await Promise.all(readers)
  t.ok(seen.length > 0)
  for (const [pin, value] of seen) t.equal(value, written.get(pin) ?? 'start', `value with pin ${pin}`)
})

t.test('a restarted server shows layers unchanged', async (t) => {
  const data = scratchFolder(t, 'again')
  const first = await runServer(t, { folder: data })
  const docId = await first.upload(pdf)
  const ops = [filled(plain, 'kept'), titled('Kept')]
  done(await change(first.api, { docId }, { opId: 'one', ops }))
  const paths = ['manifest', 'form', 'metadata', 'download', 'annotations/items', 'render/fields/pages/obj:3/data']
  const before = await Promise.all(paths.map((path) => first.api.get(`${layerPath({ docId })}/${path}`)))
  await first.close()
  const second = await runServer(t, { folder: data })
  for (const [index, path] of paths.entries()) {
    const after = done(await second.api.get(`${layerPath({ docId })}/${path}`))
    t.ok(after.bytes.equals(before[index]?.bytes ?? Buffer.alloc(0)), path)
  }
})
