// Refused bodies of every operation: values that are not objects, and unknown members. A misspelt member
// must not count as absent: without `pages`, a flatten or redaction applies to every page.
import t from 'tap'
import { operations } from '../../../server/api/index.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { everyRequest, namesOf } from '../support/every-operation.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const note = (page: number) => `<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(page ${page})/P ${page} 0 R>>`
const twoPages = rawPdf({
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]>>>>',
  2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
  3: '<</Type/Page/Parent 2 0 R/Annots[5 0 R 7 0 R]>>',
  4: '<</Type/Page/Parent 2 0 R/Annots[6 0 R]>>',
  5: note(3),
  6: note(4),
  7: '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[50 10 150 30]/P 3 0 R>>',
})
const docId = await server.upload(twoPages)
const layer = `/v1/docs/${docId}/layers/default`
const outcome = ({ status, code }: Answer) => `${status} ${code}`

const names = namesOf(docId)
const all = everyRequest(names).filter(
  ({ operation, path }) => operation.input.body !== undefined && !path.includes('@'),
)
const auditHead = async () => (await api.get(`${layer}/manifest`).then(done)).at('/auditHead')
const manifest = async () => (await api.get(`${layer}/manifest`).then(done)).text

/** Misspells a word: `pages` -> `paes`. */
const misspelt = (word: string): string => `${word.slice(0, 2)}${word.slice(3)}`

function membersOf(schema: unknown): readonly string[] {
  const { properties = {}, anyOf = [] }: { readonly properties?: object; readonly anyOf?: readonly unknown[] } =
    Object(schema)
  return [...Object.keys(properties), ...anyOf.flatMap(membersOf)]
}

/** Patterns without an explanation in words. Patterns that exclude U+0000 do not count: it is refused earlier. */
function barePatterns(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { pattern, examples, description, ...rest }: Readonly<Record<string, unknown>> = { ...schema }
  const isBare = typeof pattern === 'string' && !pattern.includes('u0000') && !(examples ?? description)
  return [...(isBare ? [pattern] : []), ...Object.values(rest).flatMap(barePatterns)]
}

t.test('every operation refuses a body that is not an object, instead of treating it as absent', async (t) => {
  t.ok(all.length > 25)
  for (const { operation, path, title } of all) {
    for (const body of ['null', '""', '[]', '0', 'false', '"{}"']) {
      const headers = { 'content-type': 'application/json' }
      const answer = await api.send(path, { method: operation.method, headers, body })
      t.equal(outcome(answer), '400 InvalidArg', `${title} with ${body}`)
    }
  }
})

t.test('every operation refuses an unknown member and names it', async (t) => {
  const before = await manifest()
  for (const { operation, path, title } of all) {
    const answer = await api.send(path, { method: operation.method, json: { unheardOf: 1 } })
    t.equal(outcome(answer), '400 InvalidArg', title)
    t.match(answer.word('/error/message'), 'unheardOf', title)
  }
  t.equal(await manifest(), before, 'nothing was changed')
})

t.test('every operation with a query refuses an unknown parameter and names it', async (t) => {
  const queried = everyRequest(names).filter(({ operation, path }) => operation.input.query && !path.includes('@'))
  t.ok(queried.length > 5)
  for (const { operation, path, title } of queried) {
    const hasBody = operation.input.body !== undefined
    const answer = await api.send(`${path}?unheardOf=1`, { method: operation.method, ...(hasBody ? { json: {} } : {}) })
    t.equal(outcome(answer), '400 InvalidArg', title)
    t.match(answer.word('/error/message'), 'unheardOf', title)
  }
})

t.test('a member with a required form is explained by an example or in words', (t) => {
  for (const { operation, title } of everyRequest(names)) {
    const { params, query, body } = operation.input
    for (const pattern of [params, query, body].flatMap(barePatterns)) t.fail(`${title}: ${pattern}`)
  }
  t.end()
})

t.test('every misspelt member is refused with a suggestion of the right one', async (t) => {
  const before = await manifest()
  for (const { operation, path, title } of all) {
    const members = membersOf(operation.input.body).filter((name) => name.length > 3)
    for (const name of members) {
      const answer = await api.send(path, { method: operation.method, json: { [misspelt(name)]: null } })
      t.equal(outcome(answer), '400 InvalidArg', `${title}: ${misspelt(name)}`)
      t.match(answer.word('/error/message'), misspelt(name), `${title}: ${misspelt(name)}`)
    }
  }
  t.equal(await manifest(), before, 'nothing was changed')
})

t.test('an operation that defaults to all pages requires an empty body for them', async (t) => {
  const pages = [pageRef(3)]
  const cases = [
    ['pages/flatten', { page: pages, usage: 'display' }, /did you mean "pages"/],
    ['pages/flatten', { usage: 'display' }, /pages/],
    ['pages/flatten', { pageObjectNumbers: [3], usage: 'display' }, /pageObjectNumbers/],
    ['redactions/apply', { page: pages }, /did you mean "pages"/],
    ['form/reset', { ref: [] }, /did you mean "refs"/],
    ['pages/obj:3/scale', { measurement: null }, /measurement/],
  ] as const
  for (const [path, body, reported] of cases) {
    const answer = await api.post(`${layer}/${path}`, body)
    t.equal(outcome(answer), '400 InvalidArg', path)
    t.match(answer.word('/message'), reported)
  }
  t.equal(await auditHead(), 0)
})

const items = `${layer}/annotations/pages/obj:3/items`
const square = { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } }

t.test('annotations: unknown members and members of another subtype are refused', async (t) => {
  const made = await api.post(items, { ...square, strokeWidth: 3 }).then(done)
  const ref: { readonly objectNumber: number } = Object(made.at('/annotation/ref'))
  const item = `${items}/obj:${ref.objectNumber}`
  const wrong = [
    [{ strokWidth: 3 }, /strokWidth.*did you mean "strokeWidth"/],
    [{ patch: { strokWidth: 3 } }, /patch\/strokWidth.*did you mean "strokeWidth"/],
    [{ patch: { contents: 'x' }, subject: 'y' }, /subject/],
    [{ quadPoints: [] }, /quadPoints/],
    [{ icon: 'note' }, /icon does not exist for the subtype square/],
    [{ reply: { to: { kind: 'objectNumber', page: pageRef(3), objectNumber: 5 }, tpye: 'group' } }, /tpye/],
  ] as const
  for (const [body, reported] of wrong) {
    const answer = await api.patch(item, body)
    t.equal(outcome(answer), '400 InvalidArg', JSON.stringify(body))
    t.match(answer.word('/message'), reported)
  }
  const drafts = [
    [{ ...square, strokWidth: 3 }, /strokWidth.*did you mean "strokeWidth"/],
    [{ ...square, icon: 'note' }, /icon does not exist for the subtype square/],
    [
      {
        subtype: 'link',
        rect: square.box,
        target: { kind: 'goto', destination: { kind: 'xyz', page: pageRef(4), zom: 2 } },
      },
      /zom/,
    ],
  ] as const
  for (const [body, reported] of drafts) {
    const answer = await api.post(items, body)
    t.equal(outcome(answer), '400 InvalidArg', JSON.stringify(body))
    t.match(answer.word('/message'), reported)
  }
  const op = { type: 'annotations.update', ref, patch: { strokWidth: 3 } }
  const change = await api.post(`${layer}/changes`, { changes: [{ opId: 'misspelt', ops: [op] }] }).then(done)
  t.equal(change.at('/changes/0/error/code'), 'InvalidArg')
  t.match(change.word('/changes/0/error/message'), /did you mean "strokeWidth"/)
})

t.test('annotations: a read can be sent back, including members that only the server sets', async (t) => {
  const made = await api.post(items, { ...square, contents: 'once' }).then(done)
  const read = Object(made.at('/annotation'))
  const item = `${items}/obj:${read.ref.objectNumber}`
  const same = await api.patch(item, { patch: read }).then(done)
  t.equal(same.at('/meta/cacheDelta'), null, 'nothing has changed')
  t.equal((await api.patch(item, { ...read, contents: 'twice' }).then(done)).at('/annotation/contents'), 'twice')
  const { nm: _name, ...rest } = read
  const copy = await api.post(items, { ...rest, measure: null }).then(done)
  t.not(copy.at('/annotation/ref/objectNumber'), read.ref.objectNumber)
})

t.test('widgets: a misspelt member or event is refused, and a read can be sent back', async (t) => {
  const widget = `${layer}/form/widgets/obj:3/obj:7`
  const wrong = [
    [{ strokWidth: 3 }, /strokWidth.*did you mean "strokeWidth"/],
    [{ actions: { mouseDwon: null } }, /mouseDwon.*did you mean "mouseDown"/],
    [{ actions: { mouseDown: { rot: null } } }, /rot/],
  ] as const
  for (const [patch, reported] of wrong) {
    const answer = await api.patch(widget, { patch })
    t.equal(outcome(answer), '400 InvalidArg', JSON.stringify(patch))
    t.match(answer.word('/message'), reported)
  }
  const form = await api.get(`${layer}/form`).then(done)
  const same = await api.patch(widget, { patch: form.at('/widgets/0') }).then(done)
  t.equal(same.at('/meta/cacheDelta'), null)
})

t.test('the schema of every body on documents is declared strict', async (t) => {
  const isStrict = (schema: unknown): boolean => {
    const { anyOf, additionalProperties } = Object(schema)
    return Array.isArray(anyOf) ? anyOf.every(isStrict) : additionalProperties === false
  }
  for (const { name, plane, input } of operations) {
    if (plane === 'document' && input.body) t.ok(isStrict(input.body), name)
  }
})

t.test('extremely long names are refused before they are copied', async (t) => {
  const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`name${n}`, 'x']))
  const custom = (count: number) => api.patch(`${layer}/metadata/custom`, named(count))
  t.equal(outcome(await custom(100)), outcome(await custom(1)), 'many entries are accepted')
  const op = { type: 'metadata.update', patch: { title: 'x' } }
  const wide = {
    changes: [
      {
        opId: 'wide',
        ops: [
          { ...op, ...named(5_500) },
          { ...op, ...named(5_500) },
        ],
      },
    ],
  }
  const refused = await api.post(`${layer}/changes`, wide)
  t.match([refused.status, refused.code, refused.at('/message')], [400, 'InvalidArg', /more than 10000 members/])
  const many = await api.post(`${layer}/changes`, { changes: Array.from({ length: 50_000 }, () => ({})) })
  t.match(many.at('/message'), /no more than 64 elements, and has 50000/)
})
