// `annotations.mark`: marks every hit of a text, a pattern or a preset in one change, and says what it cannot see.
import t from 'tap'
import { needlesOn } from '../../support/pdf/many-pages.js'
import { helvetica, onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import type { Answer, Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes } from './support/changing.js'

const server = await runServer(t)
const { api } = server
const lines = (...texts: readonly string[]) =>
  `BT /F1 12 Tf 14 TL 20 170 Td ${texts.map((text) => `(${text}) Tj T*`).join(' ')} ET`
const letter = () =>
  onePage(lines('Ada Lovelace wrote to Charles.', 'ada lovelace, and Adamant', 'Call Ada'), {
    resources: helvetica,
    size: [300, 200],
  })
const upload = (pdf = letter()) => server.upload(pdf)
const pathOf = (docId: string) => `${layerPath({ docId })}/annotations`
const mark = (docId: string, body: object, client: Client = api, headers = {}): Promise<Answer> =>
  client.post(`${pathOf(docId)}/mark`, body, headers)
const preview = (docId: string, body: object, client: Client = api) =>
  client.post(`${pathOf(docId)}/mark/preview`, body)
const listed = async (docId: string) => done(await api.get(`${pathOf(docId)}/items`)).at('/annotations') as object[]
const total = (answer: Answer) => {
  const { hits, marked, skipped } = Object(done(answer).at('/total'))
  return [hits, marked, skipped]
}

t.test('every hit becomes one redaction mark with the requested look, in one change', async (t) => {
  const docId = await upload()
  const data = { subtype: 'redact', overlayText: 'removed', color: '#00ff00', interiorColor: '#112233' }
  const answer = done(await mark(docId, { text: 'ada', data }))
  t.same(total(answer), [4, 4, 0])
  t.match(answer.json(), {
    pages: [{ page: { objectNumber: 3 }, hits: 4, marked: 4, skipped: 0 }],
    annotations: Array.from({ length: 4 }, () => ({ ...data, quadPoints: [{}] })),
    meta: { affectedPages: [{ objectNumber: 3 }], undoable: true, changed: [{}, {}, {}, {}] },
  })
  t.same(await listed(docId), answer.at('/annotations'), 'the answer is what is listed')
})

t.test('case, whole words, patterns and pages narrow the hits', async (t) => {
  const docId = await upload()
  for (const [body, hits] of [
    [{ text: 'ada', matchCase: true }, 1],
    [{ text: 'ada', wholeWord: true }, 3],
    [{ text: 'Ada', matchCase: true, wholeWord: true }, 2],
    [{ regex: 'A[a-z]+ L' }, 2],
    [{ regex: 'A[a-z]+ L', matchCase: true }, 1],
    [{ regex: '(a|b|ab)*c', wholeWord: true }, 0],
    [{ text: 'nobody' }, 0],
    [{ text: 'ada', pages: [{ kind: 'objectNumber', objectNumber: 3 }] }, 4],
  ] as const)
    t.equal(done(await preview(docId, body)).at('/total/hits'), hits, JSON.stringify(body))
  const many = await upload(needlesOn(5))
  const pages = [6, 10].map((objectNumber) => ({ kind: 'objectNumber', objectNumber }))
  const answer = done(await mark(many, { text: 'needle', pages, data: { subtype: 'highlight' } }))
  t.match(answer.at('/pages'), [{ page: { objectNumber: 6 } }, { page: { objectNumber: 10 } }])
  t.match(await listed(many), [{ subtype: 'highlight' }, { subtype: 'highlight' }])
})

t.test('a preview says the same places, and changes nothing', async (t) => {
  const docId = await upload()
  const before = done(await api.get(`${layerPath({ docId })}/manifest`)).text
  const seen = done(await preview(docId, { text: 'lovelace' }))
  t.equal(done(await api.get(`${layerPath({ docId })}/manifest`)).text, before)
  t.same(await listed(docId), [])
  const made = done(await mark(docId, { text: 'lovelace' }))
  t.same(made.at('/total'), seen.at('/total'))
  // The file has fewer digits.
  const placesIn = (marks: unknown) =>
    (marks as { quadPoints: unknown }[]).map(({ quadPoints }) =>
      JSON.parse(JSON.stringify(quadPoints), (_name, value) =>
        typeof value === 'number' ? Math.round(value * 100) / 100 : value,
      ),
    )
  t.same(placesIn(seen.at('/marks')), placesIn(made.at('/annotations')))
  t.match(seen.at('/marks/0'), { page: { objectNumber: 3 } })
})

t.test('a repeated run skips what is marked already; a repeated request is replayed', async (t) => {
  const docId = await upload()
  const key = { 'idempotency-key': 'marks' }
  const first = await mark(docId, { text: 'Ada Lovelace' }, api, key)
  t.same(total(first), [2, 2, 0])
  const again = await mark(docId, { text: 'Ada Lovelace' }, api, key)
  t.equal(again.text, first.text)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal((await mark(docId, { text: 'Charles' }, api, key)).code, 'IdempotencyKeyReused')
  t.same(total(await mark(docId, { text: 'ada lovelace' })), [2, 0, 2])
  t.same(total(await mark(docId, { text: 'Ada' })), [4, 4, 0], 'other places')
  t.same(total(await mark(docId, { text: 'Ada Lovelace', data: { subtype: 'highlight' } })), [2, 2, 0], 'another kind')
  t.equal((await listed(docId)).length, 8)
})

t.test('one undo removes all marks, and leaves those that were changed since; undoing it restores them', async (t) => {
  const docId = await upload()
  const ops = [
    { type: 'annotations.mark', text: 'Ada' },
    { type: 'annotations.mark', text: 'Charles' },
  ]
  t.same(outcomes(await change(api, { docId }, { opId: 'marks', ops })), ['applied'])
  const marks = await listed(docId)
  t.equal(marks.length, 5)
  t.same(outcomes(await change(api, { docId }, { opId: 'undo', undoOf: 'marks' })), ['applied'])
  t.same(await listed(docId), [])
  t.same(outcomes(await change(api, { docId }, { opId: 'redo', undoOf: 'undo' })), ['applied'])
  t.equal((await listed(docId)).length, 5)
  const [{ ref }] = (await listed(docId)) as [{ ref: object }]
  const patch = { type: 'annotations.update', ref, patch: { overlayText: 'kept' } }
  await change(api, { docId }, { opId: 'patch', ops: [patch] })
  await change(api, { docId }, { opId: 'undo-again', undoOf: 'marks' })
  t.match(await listed(docId), [{ overlayText: 'kept' }])
  t.equal((await listed(docId)).length, 1)
})

t.test('marks belong to their caller, and need the rights to annotate, to search and to redact', async (t) => {
  const docId = await upload()
  const as = async (scope: string[], more = {}) =>
    api.as(await server.documentToken(docId, ['doc.open', ...scope], more))
  const body = { text: 'Charles' }
  for (const [scope, status, words] of [
    [['doc.text.search'], 403, /doc\.annotate\.modify/],
    [['doc.annotate.modify'], 403, /doc\.text\.search/],
    [['annotations:create:self'], 403, /doc\.text\.search/],
    [['doc.text.search', 'doc.annotate.modify', 'annotations:create:createdBy=eve'], 403, /collaboration/],
    [['doc.text.search', 'annotations:create:self'], 403, /doc\.redact/],
    [['doc.text.search', 'doc.annotate.modify'], 403, /doc\.redact/],
    [['doc.text.search', 'doc.redact', 'annotations:create:self'], 200, /"marked":1/],
    [['doc.text.search', 'doc.redact', 'doc.annotate.modify'], 200, /"skipped":1/],
  ] as const) {
    const client = await as([...scope], { userId: 'ada' })
    const answer = await mark(docId, body, client)
    t.equal(answer.status, status, `${scope.join(' ')} ${answer.text}`)
    t.match(answer.text, words)
    const inChange = await change(
      client,
      { docId },
      { opId: scope.join(), ops: [{ type: 'annotations.mark', ...body }] },
    )
    // Who may change nothing at all is refused before the change is looked at.
    const found = inChange.status === 200 ? outcomes(inChange) : [inChange.code]
    t.same(found, [status === 200 ? 'applied' : 'Forbidden'], scope.join(' '))
  }
  t.match(await listed(docId), [{ userId: 'ada', createdBy: 'ada' }])
  t.equal((await preview(docId, body, await as(['doc.annotate.read']))).status, 403)
  t.equal((await preview(docId, body, await as(['doc.text.search']))).status, 403)
  t.equal((await preview(docId, body, await as(['doc.text.search', 'doc.annotate.read']))).status, 200)
})

t.test('a request that is not clear says what is wrong', async (t) => {
  const docId = await upload()
  for (const [body, message] of [
    [{}, /exactly one/],
    [{ text: 'a', preset: 'iban' }, /exactly one/],
    [{ text: '' }, /text/],
    [{ text: ' ' }, /no text/],
    [{ text: 'x'.repeat(1001) }, /text/],
    [{ regex: '(' }, /pattern/],
    [{ regex: '(?=a)' }, /pattern/],
    [{ preset: 'passport' }, /preset/],
    [{ preset: 'iban', matchCase: true }, /matchCase has no effect/],
    [{ regex: 'a', ignoreWhitespace: true }, /ignoreWhitespace has no effect/],
    [{ text: 'a', pages: [] }, /pages/],
    [{ text: 'a', colour: 'red' }, /colour/],
    [{ text: 'Ada', data: { subtype: 'square' } }, /subtype/],
    [{ text: 'Ada', data: { subtype: 'redact', rect: {} } }, /rect/],
    [{ text: 'Ada', data: { subtype: 'highlight', overlayText: 'x' } }, /overlayText/],
  ] as const) {
    const answer = await mark(docId, body)
    t.same([answer.status, answer.code], [400, 'InvalidArg'], JSON.stringify(body))
    t.match(answer.text, message, JSON.stringify(body))
  }
  const pages = [{ kind: 'objectNumber', objectNumber: 99 }]
  t.equal((await mark(docId, { text: 'Ada', pages })).status, 404)
})

t.test('too many hits are refused as a whole, with the limit and a way out', async (t) => {
  const shows = (hits: number) => {
    const rows = Array.from({ length: Math.ceil(hits / 60) }, (_, row) => 'b'.repeat(Math.min(60, hits - 60 * row)))
    return onePage(`BT /F1 6 Tf 6 TL 20 190 Td ${rows.map((row) => `(${row}) Tj T*`).join(' ')} ET`, {
      resources: helvetica,
    })
  }
  t.same(total(await preview(await upload(shows(1000)), { text: 'b' })), [1000, 1000, 0], 'as many as may')
  const docId = await upload(shows(1001))
  const answer = await mark(docId, { text: 'b' })
  t.same([answer.status, answer.code], [413, 'PayloadTooLarge'])
  t.match(answer.json(), { details: { limit: 'markHitsMax', max: 1000 } })
  t.match(answer.text, /pages/)
  t.same(await listed(docId), [])
})

t.test('what the search cannot see is counted for each page', async (t) => {
  const content = [
    'BT /F1 12 Tf 20 150 Td (Seen) Tj ET',
    '/OC /L BDC BT /F1 12 Tf 20 130 Td (Layer) Tj ET EMC',
    'BT /F1 12 Tf 20 190 Td (Cropped) Tj ET',
    'q 40 0 0 40 20 20 cm /I Do Q',
    '100 100 m 110 120 120 120 130 100 c f',
    '10 10 50 5 re f 0 0 m 9 9 l S',
  ].join('\n')
  const text = (more: string) => `<</Type/Annot/Rect[10 10 60 30]${more}>>`
  const pdf = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[8 0 R]>>/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>>>',
    2: '<</Type/Pages/Kids[3 0 R 12 0 R]/Count 2>>',
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/CropBox[0 0 300 180]/Contents 4 0 R/Annots[7 0 R 8 0 R 9 0 R ${text('/Subtype/Text/Contents(Inline)')}]/Resources<<${helvetica}/XObject<</I 5 0 R>>/Properties<</L 6 0 R>>>>>>`,
    4: { body: '<<>>', stream: content },
    5: {
      body: '<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray>>',
      stream: '\x00',
    },
    6: '<</Type/OCG/Name(Off)>>',
    7: text('/Subtype/FreeText/Contents(Seen)/DA(/Helv 12 Tf)'),
    8: text('/Subtype/Widget/FT/Tx/T(name)/V(Seen)'),
    9: text('/Subtype/Link'),
    12: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<<>>>>',
  })
  const docId = await server.upload(pdf)
  const unseen = { hiddenCharacters: 12, unreadableCharacters: 0, pictures: 1, drawings: 1, annotations: 2, fields: 1 }
  const counts = { hits: 1, marked: 1, skipped: 0, unseen }
  const answer = done(await mark(docId, { text: 'seen' }))
  t.same(answer.at('/pages'), [{ page: { kind: 'objectNumber', objectNumber: 3 }, ...counts }])
  t.same(answer.at('/total'), { pages: 2, ...counts })
  t.same(done(await preview(docId, { text: 'layer' })).at('/total/hits'), 0, 'layers are off again')
})

t.test('a page with text that cannot be mapped has unreadable characters', async (t) => {
  const meanings = {
    nothing: '',
    space: '0020',
    'zero width': '200b',
    'private use': 'e123',
    none: 'fffe',
  }
  for (const [name, meaning] of Object.entries(meanings)) {
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/g1]>>/ToUnicode 6 0 R>>'
    const stream = `1 begincodespacerange <00><ff> endcodespacerange 2 beginbfchar <41><0041> ${meaning && `<01><${meaning}>`} endbfchar`
    const further = { 5: font, 6: { body: '<<>>', stream } }
    const shown = name === 'nothing' ? '(\\001)' : '(B)'
    const content = `BT /F1 12 Tf 20 150 Td (A) Tj ${shown} Tj ET`
    const mapped = { ...further, 6: { ...further[6], stream: stream.replace('<01>', '<42>') } }
    const docId = await upload(
      onePage(content, { resources: '/Font<</F1 5 0 R>>', further: name === 'nothing' ? further : mapped }),
    )
    t.equal(done(await preview(docId, { text: 'secret' })).at('/total/unseen/unreadableCharacters'), 1, name)
  }
})

t.test('words under an /ActualText of other words are marked, and those of it', async (t) => {
  const hidden = '/Span<</ActualText(Charles)>>BDC BT /F1 12 Tf 20 150 Td (Lovelace) Tj ET EMC'
  const docId = await upload(onePage(`${hidden} ${lines('Ada Lovelace')}`, { resources: helvetica }))
  t.same(total(await preview(docId, { text: 'lovelace' })), [2, 2, 0])
  t.same(total(await preview(docId, { text: 'charles' })), [1, 1, 0])
  t.same(total(await preview(docId, { regex: 'L.v' })), [2, 2, 0])
})

t.test('every annotation with an appearance that may show a text is counted', async (t) => {
  const appearance = (stream: string) => ({
    body: `<</Type/XObject/Subtype/Form/BBox[0 0 50 20]/Resources<<${helvetica}>>>>`,
    stream,
  })
  const written = 'BT /F1 9 Tf 2 4 Td (Word) Tj ET'
  for (const [subtype, drawing, count] of [
    ['Watermark', written, 1],
    ['Screen', written, 1],
    ['PrinterMark', written, 1],
    ['Movie', '0 0 m 9 9 9 9 0 9 c f', 1],
    ['Unheard', written, 1],
    ['Link', written, 1],
    ['Square', written, 1],
    ['Square', '1 1 48 18 re S', 0],
    ['Highlight', '1 1 48 18 re f', 0],
  ] as const) {
    const further = { 5: `<</Type/Annot/Subtype/${subtype}/Rect[10 10 60 30]/AP<</N 6 0 R>>>>`, 6: appearance(drawing) }
    const docId = await upload(onePage(lines('Seen'), { resources: helvetica, page: '/Annots[5 0 R]', further }))
    t.equal(
      done(await preview(docId, { text: 'seen' })).at('/total/unseen/annotations'),
      count,
      `${subtype} ${drawing}`,
    )
  }
})
