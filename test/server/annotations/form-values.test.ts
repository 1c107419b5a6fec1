// Values of forms in and out over HTTP, as JSON, FDF and XFDF: what one form exports, a fresh copy takes.
import t from 'tap'
import { formPdf } from '../../support/pdf/form-pdf.js'
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

t.test('malformed files of values are refused with a place and a code', async (t) => {
  const docId = await server.upload(formPdf())
  const deep = `${'<</Kids['.repeat(100)}${']>>'.repeat(100)}`
  const fdfOf = (fields: string) => `%FDF-1.2\n1 0 obj<</FDF<</Fields[${fields}]>>>>endobj\ntrailer<</Root 1 0 R>>`
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
