// Every write route and each op of `doc.changes` is sent to a real server, and its response must have exactly the members of
// the served schema. Members of routes are repeated here, because generated clients depend on their names.
import t from 'tap'
import { operations } from '../../../server/api/index.js'
import { opContracts } from '../../../workers/contract/ops/index.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { formPdf, named, widgetOn } from '../../support/pdf/form-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation, everyField, everyPage } from '../../support/pdf/rich-pdf.js'
import { strictly, type Validator } from '../../support/pdf/strictly.js'
import { samples } from '../../workers/ops/samples.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server

const documents = new Map<() => Buffer, Promise<string>>()
/** Ids of the documents, one per sample PDF. */
function documentOf(pdf: () => Buffer): Promise<string> {
  const known = documents.get(pdf) ?? server.upload(pdf())
  documents.set(pdf, known)
  return known
}

interface Write {
  readonly pdf: () => Buffer
  /** Path relative to the layer. */
  readonly path: string
  readonly body?: object
  readonly file?: Uint8Array
  readonly members: readonly string[]
}

const page = pageRef(3)
/** A stamp of `everyAnnotation`. */
const stamp = { kind: 'objectNumber', page, objectNumber: 23 }
const items = '/annotations/pages/obj:3/items'
const rect = { x: 20, y: 20, width: 60, height: 30 }
const annotation = { pdf: everyAnnotation }
const form = { pdf: formPdf }
const pages = { pdf: everyPage, members: ['layout', 'meta'] }
const scale = {
  pdf: everyPage,
  path: '/pages/obj:4/scale',
  body: { measure: { subtype: 'rectilinear', x: [{ unit: 'm', conversion: 2 }], distance: [], area: [] } },
  members: ['meta', 'page'],
}

const metadata = { pdf: everyPage, path: '/metadata', body: { title: 'Title' }, members: ['meta', 'metadata'] }
const custom = { pdf: everyPage, path: '/metadata/custom', body: { Project: 'X' }, members: ['custom', 'meta'] }

const writes: Readonly<Record<string, Write>> = {
  'doc.annotations.create': {
    ...annotation,
    path: items,
    body: { subtype: 'square', box: rect },
    members: ['annotation', 'meta'],
  },
  'doc.annotations.mark': {
    pdf: () => onePage('BT /F1 12 Tf 20 100 Td (Marked) Tj ET', { resources: helvetica }),
    path: '/annotations/mark',
    body: { text: 'marked' },
    members: ['annotations', 'meta', 'pages', 'total'],
  },
  'doc.annotations.update': {
    ...annotation,
    path: `${items}/obj:23`,
    body: { patch: { contents: 'Other' } },
    members: ['annotation', 'appearance', 'meta'],
  },
  'doc.annotations.delete': { ...annotation, path: `${items}/obj:21`, members: ['meta'] },
  'doc.annotations.reorder': {
    ...annotation,
    path: `${items}/reorder`,
    body: { refs: [stamp], position: 'start' },
    members: ['meta', 'order'],
  },
  'doc.annotations.flatten': {
    ...annotation,
    path: `${items}/flatten`,
    body: { refs: [stamp], usage: 'display' },
    members: ['meta', 'page', 'results', 'usage'],
  },
  'doc.annotations.import': {
    ...annotation,
    path: '/annotations/import',
    body: { resources: { source: 'file' } },
    file: Buffer.from('<xfdf><annots><square page="0" rect="20,20,80,50"/></annots></xfdf>'),
    members: ['created', 'meta', 'skipped', 'skippedCount', 'unchangedCount', 'updated'],
  },
  'doc.forms.importValues': {
    ...form,
    path: '/form/values',
    body: { values: { plain: 'Ada' } },
    members: ['calculations', 'fields', 'meta', 'skipped', 'skippedCount', 'widgets'],
  },
  'doc.forms.importValues.put': {
    ...form,
    path: '/form/values',
    body: { values: { plain: 'Ada' } },
    members: ['calculations', 'fields', 'meta', 'skipped', 'skippedCount', 'widgets'],
  },
  'doc.redactions.apply': {
    ...annotation,
    path: '/redactions/apply',
    body: { pages: [page] },
    members: ['alsoFound', 'alsoFoundComplete', 'meta', 'removedAnnotationCount', 'removedWhole', 'results', 'scope'],
  },
  'doc.forms.setValue': {
    ...form,
    path: '/form/fields/fqn:plain/value',
    body: { value: 'Ada' },
    members: ['calculations', 'field', 'meta', 'widgets'],
  },
  'doc.forms.reset': {
    ...form,
    path: '/form/reset',
    body: {},
    members: ['calculations', 'fields', 'meta', 'widgets'],
  },
  'doc.forms.updateWidget': {
    ...form,
    path: '/form/widgets/obj:3/obj:10',
    body: { patch: { color: '#ff0000' } },
    members: ['appearance', 'meta', 'widget'],
  },
  'doc.forms.deleteWidget': {
    ...form,
    path: '/form/widgets/obj:4/obj:45',
    members: ['field', 'meta', 'page', 'widget'],
  },
  'doc.forms.reorderWidgets': {
    ...form,
    path: '/form/widgets/obj:4/reorder',
    body: { widgets: [widgetOn(4, 58)], position: 'start' },
    members: ['meta', 'order', 'page'],
  },
  'doc.forms.reorderCalculations': {
    ...form,
    path: '/form/calculations/reorder',
    body: { fields: [named('taxed')], position: 'start' },
    members: ['calculationOrder', 'meta'],
  },
  'doc.pages.rotate': { ...pages, path: '/pages/rotate', body: { pages: [page], rotation: 180 } },
  'doc.pages.delete': { ...pages, path: '/pages/delete', body: { pages: [page] } },
  'doc.pages.setName': { ...pages, path: '/pages/names', body: { name: 'First', page } },
  'doc.pages.removeName': { ...pages, path: '/pages/names/delete', body: { name: 'Plan' } },
  'doc.pages.reorder': {
    ...pages,
    path: '/pages/reorder',
    body: { pages: [pageRef(5)], position: 'start' },
    members: ['layout', 'meta', 'pages'],
  },
  'doc.pages.insertBlank': {
    ...pages,
    path: '/pages/insert-blank',
    body: { size: { width: 9, height: 9 } },
    members: ['insertedPages', 'layout', 'meta'],
  },
  'doc.pages.insert': {
    ...pages,
    path: '/pages/insert',
    body: { position: 'end', resources: { source: 'file' } },
    file: onePage(''),
    members: ['insertedPages', 'layout', 'meta'],
  },
  'doc.pages.flatten': {
    pdf: everyField,
    path: '/pages/flatten',
    body: {},
    members: ['meta', 'pages', 'results', 'usage'],
  },
  'doc.metadata.update': metadata,
  'doc.metadata.update.patch': metadata,
  'doc.metadata.updateCustom': custom,
  'doc.metadata.updateCustom.patch': custom,
  'doc.pages.setScale': scale,
  'doc.pages.setScale.post': scale,
}

const changing = operations.filter(({ isChange }) => isChange)

t.test('the requests cover every write with its own route', async (t) => {
  t.same(changing.map(({ name }) => name).toSorted(), Object.keys(writes).toSorted())
})

for (const { name, method, answer: schema } of changing) {
  t.test(`${name} answers exactly its members`, async (t) => {
    const write = writes[name]
    if (write === undefined || typeof schema === 'string' || Array.isArray(schema))
      throw new Error('The response has no JSON schema')
    const { pdf, path, body, file, members } = write
    const layer = `/v1/docs/${await documentOf(pdf)}/layers/${name}`
    const answer = done(await sent(`${layer}${path}`, { method, body, files: file ? { file } : {} }))
    t.same(Object.keys(Object(answer.json())).toSorted(), members)
    holds(strictly(schema)(), answer.json())
  })
}

/** Contracts of the ops that a change may contain, and validators of their items by type of op. */
const batchable = opContracts.filter(({ isBatchable }) => isBatchable)
const itemValidators = new Map<string, ReturnType<typeof strictly>>(
  batchable.map(({ type, item }) => [type, strictly(item)]),
)

t.test('every op of doc.changes answers exactly the members of its item', async (t) => {
  const seen = new Set<string>()
  for (const [index, { pdf, op, before = [], resources }] of samples.entries()) {
    const validator = itemValidators.get(op.type)?.()
    if (validator === undefined) continue
    seen.add(op.type)
    const path = `/v1/docs/${await documentOf(pdf)}/layers/sample-${index}/changes`
    const body = {
      changes: [...(before.length > 0 ? [{ opId: 'before', ops: before }] : []), { opId: 'op', ops: [op] }],
    }
    const files = Object.fromEntries(Object.entries(resources ?? {}).map(([key, { bytes }]) => [key, bytes]))
    const answer = done(await sent(path, { method: 'POST', body, files }))
    const item = answer.at(`/changes/${body.changes.length - 1}/result/items/0`)
    t.equal(Object(item).type, op.type, answer.text.slice(0, 300))
    holds(validator, item)
  }
  t.same([...seen].toSorted(), batchable.map(({ type }) => type).toSorted())
})

interface Sending {
  readonly method: string
  readonly body: object | undefined
  /** Files by key. */
  readonly files: Readonly<Record<string, Uint8Array>>
}

function sent(path: string, { method, body, files }: Sending): Promise<Answer> {
  if (Object.keys(files).length === 0) return api.send(path, { method, ...(body && { json: body }) })
  const parts = new FormData()
  parts.set('body', JSON.stringify(body))
  for (const [key, bytes] of Object.entries(files)) {
    parts.set(`resource:${key}`, new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'source.pdf')
  }
  return api.send(path, { method, body: parts })
}

function holds(validator: Validator, value: unknown): void {
  if (!validator.Check(value)) throw new Error(JSON.stringify(validator.Errors(value).slice(0, 3)))
}
