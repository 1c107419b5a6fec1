// Every op in a layer of its own, applied before another layer is redacted and signed: no layer that is merged over the
// redacted version may contain what was removed, and those that may contain it stay over their version.
import t from 'tap'
import { opContracts } from '../../../workers/contract/ops/index.js'
import { qpdfOf } from '../../support/pdf/bases.js'
import { named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes, titled } from '../changes/support/changing.js'
import { sign } from '../signatures/support/signing.js'
import { EventReader } from '../support/events.js'
import { done, runServer } from '../support/running-server.js'

const page = numbered(3)
const ref = (objectNumber: number) => ({ ...numbered(objectNumber), page })
const widget = (rect: string, of = 3) => `/Type/Annot/Subtype/Widget/F 4/P ${of} 0 R/Rect[${rect}]`
const sum = '/AA<</C<</S/JavaScript/JS(AFSimple_Calculate\\("SUM", new Array \\("amount", "other"\\)\\);)>>>>'
/** The upper half, which is redacted, has the words `secret` and 424242 in text, annotations and fields. */
const pdf = (form: string) =>
  rawPdf({
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[20 0 R 25 0 R 26 0 R 27 0 R 28 0 R 29 0 R 30 0 R]/CO[27 0 R 30 0 R]/DA(/Helv 12 Tf 0 g)${form}>>>>`,
    2: `<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 300 200]/Resources<<${helvetica}>>>>`,
    3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[10 0 R 11 0 R 12 0 R 13 0 R 21 0 R 25 0 R 26 0 R 27 0 R 28 0 R 29 0 R 15 0 R 30 0 R<</Type/Annot/Subtype/Text/Rect[220 150 240 170]/Contents(inline secret)>>]>>',
    4: {
      body: '<<>>',
      stream: 'BT /F1 20 Tf 20 150 Td (secret) Tj ET BT /F1 20 Tf 20 50 Td (public) Tj ET',
    },
    5: '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots[22 0 R 14 0 R]>>',
    6: { body: '<<>>', stream: 'BT /F1 20 Tf 20 50 Td (further) Tj ET' },
    10: '<</Type/Annot/Subtype/FreeText/Rect[120 140 200 160]/DA(/Helv 12 Tf 0 g)/Contents(noted secret)>>',
    11: '<</Type/Annot/Subtype/Square/Rect[150 20 180 50]/Contents(public)>>',
    12: '<</Type/Annot/Subtype/Text/Rect[180 120 200 140]/Contents(another secret)>>',
    13: '<</Type/Annot/Subtype/FreeText/Rect[200 20 280 40]/DA(/Helv 12 Tf 0 g)/Contents(plain)>>',
    14: '<</Type/Annot/Subtype/Square/Rect[150 20 180 50]/Contents(public)>>',
    15: '<</Type/Annot/Subtype/Stamp/Rect[240 60 280 90]/Contents(stamp)>>',
    20: '<</FT/Tx/T(hidden)/V(secret)/DV(secret)/Kids[21 0 R 22 0 R]>>',
    21: `<<${widget('20 170 100 190')}/Parent 20 0 R>>`,
    22: `<<${widget('20 170 100 190', 5)}/Parent 20 0 R>>`,
    25: `<<${widget('120 170 160 190')}/FT/Tx/T(amount)/V(424242)>>`,
    26: `<<${widget('20 10 60 30')}/FT/Tx/T(other)>>`,
    27: `<<${widget('70 10 110 30')}/FT/Tx/T(total)${sum}>>`,
    30: `<<${widget('70 35 110 45')}/FT/Tx/T(again)${sum}>>`,
    28: `<<${widget('120 10 140 30')}/FT/Tx/T(plain)>>`,
    29: `<<${widget('150 60 180 90')}/FT/Sig/T(sign)>>`,
  })

interface Act {
  readonly type: string
  /** Default: `type`. */
  readonly title?: string
  readonly stays?: true
  /** Where the fields have to be drawn. */
  readonly isDrawn?: true
  /** A change that is made first. */
  readonly first?: Act
  /** Route of the op below the layer, by default `changes`. */
  readonly path?: string
  readonly body?: object
  readonly file?: Uint8Array
  /** The change is undone. */
  readonly isUndone?: true
}

const items = '/annotations/pages/obj:3/items'
const rect = { x: 200, y: 110, width: 60, height: 20 }
const note = { subtype: 'text', rect, contents: 'mine' }
const copied = onePage('BT /F1 20 Tf 20 150 Td (secret) Tj ET', { resources: helvetica })
const file = { file: copied }
const stays = { stays: true } as const
const setting = (name: string, value: string) => ({ field: named(name), value: { value } })
const xfdf =
  '<xfdf><annots><freetext page="0" rect="200,60,280,80"><contents>secret</contents></freetext></annots></xfdf>'

const acts: readonly Act[] = [
  { type: 'annotations.create', body: { page, data: note } },
  {
    type: 'annotations.create',
    title: 'a reply',
    body: { page, data: { ...note, reply: { to: ref(12), type: 'reply' } } },
  },
  {
    type: 'annotations.create',
    title: 'a reply to an inline one',
    body: { page, data: { ...note, reply: { to: { kind: 'baseIndex', page, baseIndex: 12 }, type: 'reply' } } },
  },
  {
    type: 'annotations.create',
    title: 'a file',
    ...stays,
    ...file,
    body: { page, data: { subtype: 'file-attachment', rect }, resources: { file: 'file' } },
  },
  { type: 'annotations.update', body: { ref: ref(11), patch: { contents: 'mine' } } },
  ...[10, 12].map((number) => ({
    type: 'annotations.update',
    title: `what is removed, ${number}`,
    body: { ref: ref(number), patch: { color: '#00ff00' } },
  })),
  {
    type: 'annotations.update',
    title: 'undone',
    isUndone: true,
    body: { ref: ref(10), patch: { contents: 'other' } },
  },
  {
    type: 'annotations.update',
    title: 'an inline one',
    body: { ref: { kind: 'baseIndex', page, baseIndex: 12 }, patch: { color: '#00ff00' } },
  },
  {
    type: 'annotations.update',
    title: 'a file',
    ...stays,
    ...file,
    body: { ref: ref(15), patch: {}, resources: { appearance: 'file' } },
  },
  { type: 'annotations.delete', body: { ref: ref(11) } },
  { type: 'annotations.delete', title: 'undone', isUndone: true, body: { ref: ref(10) } },
  { type: 'annotations.flatten', ...stays, path: `${items}/flatten`, body: { refs: [ref(10)], usage: 'display' } },
  {
    type: 'annotations.import',
    ...stays,
    file: Buffer.from(xfdf),
    body: { resources: { source: 'file' } },
  },
  { type: 'annotations.mark', body: { text: 'secret', data: { subtype: 'highlight' } } },
  { type: 'annotations.reorder', body: { page, refs: [ref(11)], position: 'start' } },
  { type: 'forms.addWidget', ...stays, body: { field: named('hidden'), placement: { page, rect } } },
  {
    type: 'forms.create',
    ...stays,
    body: { draft: { family: 'text', name: 'new', widgets: [{ page, rect }] } },
  },
  { type: 'forms.deleteWidget', ...stays, body: { widget: widgetOn(3, 21) } },
  { type: 'forms.delete', ...stays, body: { field: named('plain') } },
  { type: 'forms.importValues', body: { values: { plain: 'mine', hidden: 'mine' } } },
  { type: 'forms.importValues', title: 'with a total', ...stays, body: { values: { other: '0' } } },
  {
    type: 'forms.importValues',
    title: 'a file',
    ...stays,
    file: Buffer.from('<xfdf><fields><field name="plain"><value>secret</value></field></fields></xfdf>'),
    body: { resources: { source: 'file' } },
  },
  { type: 'forms.removeWidget', ...stays, body: { field: named('hidden'), widget: widgetOn(3, 21) } },
  {
    type: 'forms.reorderCalculations',
    ...stays,
    path: '/form/calculations/reorder',
    body: { fields: [named('again')], position: 'start' },
  },
  { type: 'forms.reorderWidgets', body: { page, widgets: [widgetOn(3, 28)], position: 'start' } },
  { type: 'forms.reset', ...stays, body: {} },
  { type: 'forms.setAppearanceText', ...stays, body: { field: named('plain'), text: 'mine' } },
  { type: 'forms.setDisplay', ...stays, body: { field: named('hidden'), display: 'noPrint' } },
  {
    type: 'forms.setSignatureAppearance',
    ...stays,
    ...file,
    body: { field: named('sign'), appearance: { pdf: 'file' } },
  },
  { type: 'forms.setValue', body: setting('plain', 'mine') },
  { type: 'forms.setValue', title: 'of what is removed', body: setting('hidden', 'mine') },
  { type: 'forms.setValue', title: 'undone', ...stays, isUndone: true, body: setting('hidden', 'mine') },
  {
    type: 'forms.setValue',
    title: 'that draws the other fields too',
    ...stays,
    isDrawn: true,
    body: setting('plain', 'mine'),
  },
  { type: 'forms.setValue', title: 'from which a total is calculated', ...stays, body: setting('other', '0') },
  { type: 'forms.updateWidget', ...stays, body: { widget: widgetOn(5, 22), patch: { color: '#ff0000' } } },
  { type: 'forms.update', ...stays, body: { field: named('hidden'), patch: { multiline: true } } },
  { type: 'metadata.updateCustom', body: { patch: { Project: 'mine' } } },
  { ...(titled('mine') as Act), body: titled('mine') },
  { type: 'pages.delete', ...stays, path: '/pages/delete', body: { pages: [numbered(5)] } },
  { type: 'pages.flatten', ...stays, path: '/pages/flatten', body: { pages: [page] } },
  { type: 'pages.insertBlank', ...stays, path: '/pages/insert-blank', body: { size: { width: 100, height: 100 } } },
  { type: 'pages.insert', ...stays, ...file, path: '/pages/insert', body: { resources: { source: 'file' } } },
  { type: 'pages.reorder', ...stays, path: '/pages/reorder', body: { pages: [page], position: 'end' } },
  { type: 'pages.rotate', path: '/pages/rotate', body: { pages: [page], rotation: 90 } },
  { type: 'pages.setName', ...stays, path: '/pages/names', body: { name: 'secret', page } },
  {
    type: 'pages.removeName',
    ...stays,
    first: { type: 'pages.setName', path: '/pages/names', body: { name: 'Plan', page } },
    path: '/pages/names/delete',
    body: { name: 'Plan' },
  },
  {
    type: 'pages.setScale',
    path: '/pages/obj:3/scale',
    body: { measure: { subtype: 'rectilinear', x: [{ unit: 'm', conversion: 2 }], distance: [], area: [] } },
  },
  { type: 'redactions.apply', path: '/redactions/apply', body: {} },
]

const judges = needs('qpdf')
if (judges.skip) t.plan(0, judges.skip)
else await run()

async function run(): Promise<void> {
  const { api, upload } = await runServer(t)

  async function send(layer: { readonly docId: string; readonly layerName: string }, act: Act, opId = 'own') {
    const { type, path, body = {}, file: bytes } = act
    if (act.first) await send(layer, act.first, 'first')
    const request = path === undefined ? { changes: [{ opId, ops: [{ ...body, type }] }] } : body
    const parts = new FormData()
    parts.set('body', JSON.stringify(request))
    if (bytes) parts.set('resource:file', new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'source.pdf')
    const sent = bytes ? { method: 'POST', body: parts } : { method: 'POST', json: request }
    const answer = await api.send(`${layerPath(layer)}${path ?? '/changes'}`, sent).then(done)
    if (path === undefined) t.same(outcomes(answer), ['applied'], answer.text)
    if (act.isUndone) t.same(outcomes(await change(api, layer, { opId: 'undo', undoOf: opId })), ['applied'])
    return answer
  }

  t.test('nothing that was redacted comes back with a layer, whatever was done in it before', async (t) => {
    t.same(
      [...new Set(acts.map(({ type }) => type))].toSorted(),
      opContracts.map(({ type }) => type).toSorted(),
      'every op',
    )
    for (const isDrawn of [false, true]) {
      const docId = await upload(pdf(isDrawn ? '/NeedAppearances true' : ''))
      const layers = acts
        .filter((act) => (act.isDrawn ?? false) === isDrawn)
        .map((act, index) => ({ act, title: `${act.type} ${act.title ?? ''}`, docId, layerName: `layer-${index}` }))
      for (const { act, ...layer } of layers) await send(layer, act)
      const legal = { docId, layerName: 'legal', api }
      const data = { subtype: 'redact', rect: { x: 0, y: 0, width: 300, height: 100 } }
      const marked = await change(api, legal, { opId: 'mark', ops: [{ type: 'annotations.create', page, data }] })
      t.same(outcomes(marked), ['applied'])
      await api.post(`${layerPath(legal)}/redactions/apply`).then(done)
      await sign(legal, { field: named('signed') })
      for (const { act, title, ...layer } of layers) {
        const merge = Object((await api.get(`${layerPath(layer)}/manifest`).then(done)).at('/merge'))
        if (act.type === 'redactions.apply') continue
        if (act.stays) {
          t.match(merge, { state: 'behind', reason: 'redaction' }, title)
          t.type(merge.auditId, 'number', title)
          continue
        }
        t.match(merge, { state: 'merged' }, title)
        const file = (await api.get(`${layerPath(layer)}/download`).then(done)).bytes
        t.notMatch(contentOf(file), removed, title)
        t.notMatch(file.toString('latin1'), removed, `${title}, out of use`)
        t.match(contentOf(file), /public/, title)
        if (act.path !== undefined || act.isUndone) continue
        const again = await send(layer, act)
        t.match(
          again.at('/changes/0/result'),
          { items: { length: 0 } },
          `${title}, whose answer from before is withheld`,
        )
        const headers = { 'last-event-id': '0' }
        const events = await EventReader.open(api, `${layerPath(layer)}/events`, headers)
        t.notMatch(JSON.stringify(await events.take(1)), removed, `${title}, event`)
        await events.close()
      }
    }
  })
}

/** Returns the objects of the file that are in use, decoded. */
const contentOf = (file: Uint8Array): string =>
  qpdfOf(file, ['--qdf', '--object-streams=disable', '--remove-unreferenced-resources=no']).toString('latin1')
/** The words as text, as hexadecimal digits, and in UTF-16. */
const removed = /secret|424242|736563726574|343234323432|s\0e\0c\0r|00730065006300/i
