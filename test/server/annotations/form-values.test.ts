// Values of forms in and out over HTTP, as JSON, FDF and XFDF: what one form exports, a fresh copy takes.
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const types = { json: 'application/json', fdf: 'application/vnd.fdf', xfdf: 'application/vnd.adobe.xfdf' } as const

const valuesPath = (docId: string) => `${layerPath({ docId })}/form/values`

const send = (docId: string, body: string | Uint8Array, type: string, key = '') =>
  api.send(valuesPath(docId), {
    method: 'POST',
    body,
    headers: { 'content-type': type, ...(key !== '' && { 'idempotency-key': key }) },
  })

const valuesOf = async (docId: string) => Object((await api.get(valuesPath(docId)).then(done)).at('/values'))

const given = {
  plain: 'Ünï 漢 <&>(\\',
  'person.last': 'Ada',
  check: true,
  combo: 'b',
  list: ['one', '3'],
  price: '12.5',
}

t.test('values go out and come back in every format, into a fresh copy', async (t) => {
  const docId = await server.upload(formPdf())
  const set = await api.send(valuesPath(docId), {
    method: 'PUT',
    json: { values: given },
  })
  t.equal(set.status, 200, set.text)
  t.same(set.at('/skipped'), [])
  const before = await valuesOf(docId)
  t.match(before, { plain: 'Ünï 漢 <&>(\\', 'person.last': 'Ada', check: true, combo: 'b', list: ['one', '3'] })
  t.notOk('push' in before || 'sign' in before)
  for (const format of ['json', 'fdf', 'xfdf'] as const) {
    const file = await api.get(`${valuesPath(docId)}?format=${format}`).then(done)
    t.ok(file.headers.get('content-type')?.startsWith(types[format]))
    const copy = await server.upload(formPdf(), { tenantId: 'acme' })
    const answer = await send(copy, file.bytes, types[format])
    t.equal(answer.status, 200, answer.text)
    t.same(answer.at('/skipped'), [], format)
    t.same(await valuesOf(copy), before, format)
  }
})

t.test('an import of values is one change with one undo, and names what it cannot set', async (t) => {
  const docId = await server.upload(formPdf())
  const before = await valuesOf(docId)
  const fdf =
    '%FDF-1.2\n1 0 obj\n<</FDF<</Fields[<</T(plain)/V<FEFF0416>>><</T(person)/Kids[<</T(l\\141st)/V(caf\\351 \\200)>>]>>' +
    '<</T(check)/V/Yes>><</T(nobody)/V(x)>><</T(push)/V(x)>><</T(short)/V(too long)>><</T(plain)/V(again)>>]>>>>\nendobj\n' +
    'trailer\n<</Root 1 0 R>>\n%%EOF'
  const answer = await send(docId, fdf, types.fdf, 'fill').then(done)
  const skipped = answer.at('/skipped')
  t.same(Array.isArray(skipped) && skipped.map(({ field, reason }) => `${field} ${reason}`).toSorted(), [
    'nobody unknown-field',
    'plain duplicate-field',
    'push no-value',
    'short invalid-value',
  ])
  t.match(await valuesOf(docId), { plain: 'Ж', 'person.last': 'café •', check: true })
  t.equal((await send(docId, fdf, types.fdf, 'fill')).headers.get('idempotency-replayed'), 'true')
  t.same(outcomes(await change(api, { docId }, { opId: 'back', undoOf: 'fill' })), ['applied'])
  t.same(await valuesOf(docId), before)
})

t.test('annotations and values of one XFDF are one change when values are asked for', async (t) => {
  const docId = await server.upload(formPdf())
  const file =
    '<xfdf xmlns="http://ns.adobe.com/xfdf/"><annots><square page="0" rect="9,9,50,50" name="s"/></annots><fields>' +
    '<field name="person"><field name="last"><value>Bo</value></field></field></fields></xfdf>'
  const path = `${layerPath({ docId })}/annotations/import`
  const headers = { 'content-type': types.xfdf, 'idempotency-key': 'both' }
  const answer = await api.send(`${path}?values=true`, { method: 'POST', body: file, headers }).then(done)
  t.match(answer.json(), { created: [{ nm: 's' }], fields: [{ name: 'person.last', value: 'Bo' }], skippedCount: 0 })
  t.match((await api.get(`${layerPath({ docId })}/annotations/export?values=true`)).text, /<value>Bo<\/value>/)
  t.notMatch((await api.get(`${layerPath({ docId })}/annotations/export`)).text, /<value>/)
  t.same(outcomes(await change(api, { docId }, { opId: 'back', undoOf: 'both' })), ['applied'])
  t.notMatch((await api.get(`${layerPath({ docId })}/annotations/export?values=true`)).text, /Bo|name="s"/)
})

const fdfWith = (fields: string, { fdf = '', objects = '' } = {}): string =>
  `%FDF-1.2\n1 0 obj<</FDF<</Fields[${fields}]${fdf}>>>>endobj\n${objects}trailer\n<</Root 1 0 R>>`

t.test('strings of an FDF are read in the encoding that it states', async (t) => {
  const cases = [
    ['/utf-8', Buffer.from('Zürich 日本'), 'Zürich 日本'],
    ['/utf_8', Buffer.from('Zürich 日本'), 'Zürich 日本'],
    ['/Shift-JIS', Buffer.from('93fa967b', 'hex'), '日本'],
    ['/GBK', Buffer.from('c8d5b1be', 'hex'), '日本'],
    ['/BigFive', Buffer.from('a4e9a5bb', 'hex'), '日本'],
    ['/UHC', Buffer.from('c0cfbabb', 'hex'), '일본'],
    ['/PDFDocEncoding', Buffer.from('Z\u00fcrich', 'latin1'), 'Zürich'],
  ] as const
  for (const [encoding, value, expected] of cases) {
    const docId = await server.upload(formPdf())
    const fields = `<</T(plain)/V<${value.toString('hex')}>>><</T(multi)/V<FEFF0416>>>`
    const answer = await send(docId, fdfWith(fields, { fdf: `/Encoding${encoding}` }), types.fdf).then(done)
    t.same(answer.at('/skipped'), [], encoding)
    t.match(await valuesOf(docId), { plain: expected, multi: 'Ж' }, encoding)
  }
  const docId = await server.upload(formPdf())
  const wrong = await send(docId, fdfWith('<</T(plain)/V<ff41>>>', { fdf: '/Encoding/utf-8' }), types.fdf).then(done)
  t.match(wrong.at('/skipped'), [{ field: 'plain', reason: 'invalid-value', message: /no text in the encoding/ }])
  const unknown = await send(docId, fdfWith('', { fdf: '/Encoding/EBCDIC' }), types.fdf)
  t.match(unknown.text, /encoding EBCDIC; known are/)
  t.equal(unknown.status, 400)
})

t.test('values that are streams are set, and those of other types are named', async (t) => {
  const docId = await server.upload(formPdf())
  const fields =
    '<</T(multi)/V 2 0 R>><</T(plain)/V 3 0 R>><</T(comb)/V 42>><</T(list)/V[(one)true]>><</T(combo)/V null>><</T(right)/V 4 0 R>>'
  const stream = (number: number, entries: string, data: string) =>
    `${number} 0 obj\n<</Length ${data.length}${entries}>>\nstream\n${data}\nendstream\nendobj\n`
  const objects =
    stream(2, '', 'hello') + stream(3, '/Filter/ASCIIHexDecode', 'FEFF0416>') + stream(4, '/Filter/FlateDecode', 'x')
  const answer = await send(docId, fdfWith(fields, { objects }), types.fdf).then(done)
  t.match(await valuesOf(docId), { multi: 'hello', plain: 'Ж', comb: '', list: { length: 0 } })
  t.match(
    [answer.at('/skipped')].flat().map((one) => `${Object(one).field}: ${Object(one).message}`),
    ['comb: The value is no text and no name', 'list: The value is no', 'right: The value is a stream that cannot'],
  )
})

/** A radio group in which two of three buttons have the same export value. */
const sharedValues = () =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[6 0 R 7 0 R 8 0 R]>>',
    5: '<</FT/Btn/T(same)/Ff 49152/Opt[(yes)(no)(yes)]/Kids[6 0 R 7 0 R 8 0 R]>>',
    ...Object.fromEntries(
      [0, 1, 2].map((state) => [
        6 + state,
        `<</Type/Annot/Subtype/Widget/Parent 5 0 R/Rect[${10 + 30 * state} 10 ${30 + 30 * state} 30]/AP<</N<</${state} 9 0 R/Off 9 0 R>>>>>>`,
      ]),
    ),
    9: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>', stream: '' },
  })

t.test('buttons with the same export value are told apart by their states, in every format', async (t) => {
  const checkedIn = async (docId: string) => {
    const { fields } = Object((await api.get(`${layerPath({ docId })}/form`).then(done)).json())
    return fields[0].widgets.map(({ checked }: { readonly checked: boolean }) => checked)
  }
  const docId = await server.upload(sharedValues())
  await send(docId, fdfWith('<</T(same)/V/2>>'), types.fdf).then(done)
  t.same(await checkedIn(docId), [false, false, true])
  for (const format of ['json', 'fdf', 'xfdf'] as const) {
    const file = await api.get(`${valuesPath(docId)}?format=${format}`).then(done)
    const copy = await server.upload(sharedValues())
    await send(copy, file.bytes, types[format]).then(done)
    t.same(await checkedIn(copy), [false, false, true], format)
  }
  const again = await send(docId, fdfWith('<</T(same)/V(no)>>'), types.fdf).then(done)
  t.match(again.at('/fields'), [{ value: 'no' }])
  t.same(await checkedIn(docId), [false, true, false])
  const unknown = await send(docId, fdfWith('<</T(same)/V/7>>'), types.fdf).then(done)
  t.match(unknown.at('/skipped'), [{ field: 'same', reason: 'invalid-value' }])
})

t.test('values that a form has already change no field, and stay where they would be calculated', async (t) => {
  for (const format of ['json', 'fdf', 'xfdf'] as const) {
    const docId = await server.upload(formPdf())
    const file = await api.get(`${valuesPath(docId)}?format=${format}`).then(done)
    t.match((await send(docId, file.bytes, types[format]).then(done)).at('/fields'), { length: 0 }, format)
  }
  const docId = await server.upload(formPdf())
  const json = (values: Readonly<Record<string, string>>) => send(docId, JSON.stringify({ values }), types.json)
  await json({ price: '2', count: '3', total: '7' }).then(done)
  await json({ price: '4', total: '7' }).then(done)
  t.match(await valuesOf(docId), { price: '4', total: '7' })
})

t.test('characters that XML cannot carry stay in values that are otherwise those of an XFDF', async (t) => {
  const docId = await server.upload(formPdf())
  const odd = { plain: 'a\u0001b\ufffe', multi: '\u000c' }
  await send(docId, JSON.stringify({ values: odd }), types.json).then(done)
  for (const format of ['xfdf', 'fdf'] as const) {
    const file = await api.get(`${valuesPath(docId)}?format=${format}`).then(done)
    t.match((await send(docId, file.bytes, types[format]).then(done)).at('/fields'), { length: 0 }, format)
    t.match(await valuesOf(docId), odd)
  }
  await send(docId, JSON.stringify({ values: { plain: 'ab' } }), types.json).then(done)
  t.match(await valuesOf(docId), { plain: 'ab' }, 'JSON can carry them, so that their lack is a change')
})

t.test('malformed files of values are refused with a place and a code', async (t) => {
  const docId = await server.upload(formPdf())
  const deep = `${'<</Kids['.repeat(100)}${']>>'.repeat(100)}`
  const fdfOf = (fields: string) => `%FDF-1.2\n1 0 obj<</FDF<</Fields[${fields}]>>>>endobj\ntrailer<</Root 1 0 R>>`
  const packed = `${deflateSync(Buffer.alloc(9 * 1024 * 1024)).toString('hex')}>`
  const large = [2, 3]
    .map(
      (number) =>
        `${number} 0 obj<</Length ${packed.length}/Filter[/ASCIIHexDecode/FlateDecode]>>stream\n${packed}\nendstream endobj\n`,
    )
    .join('')
  const cases: readonly (readonly [string, string, string, number])[] = [
    ['no FDF', '%PDF-1.7', types.fdf, 400],
    ['no end', '%FDF-1.2\n1 0 obj<</FDF<</Fields[<</T(a', types.fdf, 400],
    ['no trailer', '%FDF-1.2\n1 0 obj<<>>endobj', types.fdf, 400],
    ['nesting', fdfOf('['.repeat(10_000)), types.fdf, 400],
    ['deep fields', fdfOf(deep), types.fdf, 400],
    [
      'fields in a circle',
      '%FDF-1.2\n1 0 obj<</FDF 2 0 R/Fields[1 0 R]/Kids 3 0 R>>endobj 2 0 obj<</Fields 3 0 R>>endobj 3 0 obj[1 0 R 1 0 R]endobj\ntrailer<</Root 1 0 R>>',
      types.fdf,
      413,
    ],
    ['many fields', fdfOf('<</T(a)/V(b)>>'.repeat(20_001)), types.fdf, 413],
    ['large streams', fdfWith('<</T(a)/V 2 0 R>><</T(b)/V 3 0 R>>', { objects: large }), types.fdf, 413],
    ['neither', '{}', types.json, 400],
    ['an object as a value', '{"values":{"plain":{"a":1}}}', types.json, 400],
  ]
  for (const [what, body, type, status] of cases) {
    const answer = await send(docId, body, type)
    t.equal(answer.status, status, `${what}: ${answer.text.slice(0, 200)}`)
  }
  t.match((await send(docId, '%FDF-1.2\n1 0 obj<</A', types.fdf)).text, /at byte \d+/)
  const reader = api.as(await server.documentToken(docId, ['doc.forms.read']))
  t.equal((await reader.send(valuesPath(docId), { method: 'POST', json: { values: {} } })).status, 403)
  t.equal((await api.as(await server.documentToken(docId, ['doc.open'])).get(valuesPath(docId))).status, 403)
})
