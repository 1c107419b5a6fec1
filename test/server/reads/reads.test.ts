// Every read of a document over HTTP: the exact shape of each response, versioned URLs, and comparison with other programs.

import t from 'tap'
import type { TSchema } from 'typebox'
import { operations } from '../../../server/api/index.js'
import type { Operation } from '../../../server/operation/operation.js'
import { policyVersion } from '../../../workers/contract/signatures/policy-version.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { everyAnnotation, everyField, everyPage } from '../../support/pdf/rich-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { Workshop } from '../../support/pdf/workshop.js'
import type { Answer } from '../support/client.js'
import { runServer } from '../support/running-server.js'
import { searchTokenOf } from '../support/search-token.js'

const server = await runServer(t)
const { api } = server

const files = { everyAnnotation, everyField, everyPage }
const ids = new Map<string, string>()
for (const [name, make] of Object.entries(files)) ids.set(name, await server.upload(make()))

const idOf = (name: keyof typeof files): string => ids.get(name) ?? ''
const layer = (name: keyof typeof files): string => `/v1/docs/${idOf(name)}/layers/default`

const reads = operations.filter(({ plane, method }) => plane === 'document' && method === 'GET')
const validators = new Map(reads.map((read) => [read.name, isSchema(read.answer) ? strictly(read.answer) : undefined]))

function isSchema(answer: Operation['answer']): answer is TSchema {
  return typeof answer !== 'string' && !Array.isArray(answer)
}

/** Path of a read; undefined if the file has no object for its parameters. */
interface Names {
  readonly docId: string
  readonly layerName: string
  readonly pageKey: string
  readonly annotKey: string
  readonly sha: string
  readonly token: string
}

const others: Readonly<Record<string, string>> = {
  index: '0',
  fieldKey: Buffer.from('sign').toString('base64url'),
  algorithm: 'sha256',
  key: 'YQ',
}
/** Reads of what these documents do not have: signatures, and attached files. */
const absent: ReadonlySet<string> = new Set([
  'doc.versions.signatureContents',
  'doc.versions.signatureDigest',
  'doc.attachments.read',
  'doc.attachments.readOfAnnotation',
])

const queries: Readonly<Record<string, string>> = {
  'doc.signatures.analysis': '?since.revision=0',
  'doc.versions.analysis': '?since.revision=0',
  'doc.search.rects': '?q=a',
  'doc.search.full': '?q=a',
}

const pathOf = ({ path, name }: Operation, names: Names): string =>
  `${path}${queries[name] ?? ''}`.replace(/:(\w+)/g, (_whole, name: string) =>
    encodeURIComponent(others[name] ?? String(Object(names)[name])),
  )

for (const [name, docId] of ids) {
  t.test(`every read of ${name} answers its exact shape`, async (t) => {
    const manifest = await api.get(`/v1/docs/${docId}/layers/default/manifest`)
    const sha = manifest.word('/baseSha')
    const pages = members(manifest, '/pages').map((_page, index) => manifest.at(`/pages/${index}/page/objectNumber`))
    const token = await searchTokenOf('a', api, docId)
    for (const page of pages) {
      const names = { token, docId, layerName: 'default', pageKey: `obj:${page}`, annotKey: 'obj:23', sha }
      for (const read of reads) {
        const answer = await api.get(pathOf(read, names))
        const hasAnnotation = name === 'everyAnnotation' || read.name !== 'doc.annotations.readAppearance'
        const isMissing = absent.has(read.name) || !hasAnnotation
        t.equal(answer.status, isMissing ? 404 : 200, `${read.name} of page ${page}: ${answer.text.slice(0, 200)}`)
        if (isMissing) continue
        const validator = validators.get(read.name)?.()
        if (validator) t.ok(validator.Check(answer.json()), `${read.name} ${firstError(validator, answer)}`)
        else t.ok(bytesAnswerOf(read, answer), read.name)
        if (read.isImmutable !== true) t.equal(answer.headers.get('cache-control'), 'no-store', read.name)
      }
    }
  })
}

const firstError = (validator: ReturnType<ReturnType<typeof strictly>>, answer: Answer): string =>
  JSON.stringify(validator.Errors(answer.json())[0] ?? '')

function bytesAnswerOf({ answer }: Operation, { headers }: Answer): boolean {
  const [type = ''] = (headers.get('content-type') ?? '').split('; boundary=')
  return Array.isArray(answer) && answer.includes(type)
}

t.test('each read has an immutable form under its pin, also without the layer segment', async (t) => {
  const docId = idOf('everyAnnotation')
  const manifest = await api.get(`${layer('everyAnnotation')}/manifest`)
  const sha = manifest.word('/baseSha')
  const names = { docId, layerName: 'default', pageKey: 'obj:3', annotKey: 'obj:23', sha, token: 'none' }
  const versioned = reads.filter(({ name, versioned }) => versioned !== undefined && !absent.has(name))
  t.ok(versioned.length >= 10, `${versioned.length} versioned reads`)
  for (const read of versioned) {
    const [pin = '', ...others] = read.versioned?.pins ?? []
    const pinned = (name: string) =>
      name === 'policy' ? policyVersion : (manifest.at(`/${name}`) ?? manifest.at(`/pages/0/cache/${name}`))
    const current = pinned(pin)
    const whole = pathOf(read, names)
    const [path = '', query] = whole.split('?')
    const further = [...others.map((name) => `${name}=${pinned(name)}`), ...(query === undefined ? [] : [query])]
    const rest = further.map((member) => `,${member}`).join('')
    for (const base of read.versioned?.isInherited ? [path, path.replace('/layers/default', '')] : [path]) {
      const answer = await api.get(`${base}@${pin}=${current}${rest}`)
      t.equal(answer.status, 200, `${read.name} ${base} ${answer.text.slice(0, 200)}`)
      t.equal(answer.headers.get('cache-control'), 'private, max-age=31536000, immutable', read.name)
      if (read.name !== 'doc.manifest')
        t.ok(answer.bytes.equals((await api.get(whole)).bytes), `${read.name}: the same`)
      const stale = await api.get(`${base}@${pin}=${Number(current) - 1}${rest}`)
      t.same([stale.status, stale.code, stale.headers.get('cache-control')], [404, 'NotFound', 'no-store'], read.name)
    }
    for (const token of ['', pin, `${pin}=0`, `${pin}=x`, 'other=1', `${pin}=${current},${pin}=${current}`]) {
      t.equal((await api.get(`${path}@${token}`)).status, 400, `${read.name}@${token}`)
    }
  }
  const pin = manifest.at('/pages/0/cache/contentVersion')
  const picture = `${layer('everyAnnotation')}/render/pages/obj:3/data`
  const query = 'format=png,viewport.kind=width,viewport.width=90'
  const pinned = await api.get(`${picture}@contentVersion=${pin},${query}`)
  t.ok(pinned.bytes.equals((await api.get(`${picture}?${query.replaceAll(',', '&')}`)).bytes))
  const encoded = `${picture.replace('obj:', 'obj%3A')}@contentVersion%3D${pin}%2C${encodeURIComponent(query)}`
  t.ok(pinned.bytes.equals((await api.get(encoded)).bytes), 'percent-encoded too')
  t.equal(
    (await api.get(`${picture}@${query},contentVersion=${pin}`)).status,
    400,
    'parameters must be in alphabetical order',
  )
})

t.test('a cached response is answered with 304', async (t) => {
  for (const path of [
    'layout',
    'form',
    'metadata',
    'annotations/items',
    'text/pages/obj:3/data',
    'geometry/pages/obj:3/data',
    'render/pages/obj:3/data',
  ]) {
    const answer = await api.get(`${layer('everyPage')}/${path}`)
    const etag = answer.headers.get('etag') ?? ''
    const again = await api.get(`${layer('everyPage')}/${path}`, { 'if-none-match': etag })
    t.same([again.status, again.bytes.length, again.headers.get('etag')], [304, 0, etag], path)
  }
})

t.test('B3: an unedited layer reads from the head, whatever its name', async (t) => {
  for (const name of ['review', 'ä layer/with%20signs', 'x'.repeat(256)]) {
    const path = `/v1/docs/${idOf('everyPage')}/layers/${encodeURIComponent(name)}`
    for (const read of ['manifest', 'layout', 'text/pages/obj:4/data', 'geometry/pages/obj:4/data', 'download']) {
      const [there, base] = [await api.get(`${path}/${read}`), await api.get(`${layer('everyPage')}/${read}`)]
      t.equal(there.status, 200)
      t.ok(there.bytes.equals(base.bytes), read)
    }
  }
  t.equal((await api.get(`/v1/docs/${idOf('everyPage')}/layers/${'x'.repeat(257)}/layout`)).code, 'InvalidArg')
})

t.test('a document token reads its own layer, and versioned reads without naming it', async (t) => {
  const docId = idOf('everyPage')
  const token = await server.documentToken(docId, ['doc.open', 'doc.text.copy'], { layerName: 'review' })
  const reader = api.as(token)
  const review = `/v1/docs/${docId}/layers/review`
  const manifest = await reader.get(`${review}/manifest`)
  t.equal(manifest.status, 200)
  const pin = manifest.at('/pages/0/cache/contentVersion')
  t.equal((await reader.get(`/v1/docs/${docId}/text/pages/obj:3/data@contentVersion=${pin}`)).status, 200)
  t.equal((await reader.get(`${layer('everyPage')}/manifest`)).code, 'Forbidden')
  t.equal((await reader.get(`${review}/render/pages/obj:3/data`)).code, 'Forbidden')
})

t.test('missing pages and annotations and impossible references get different errors', async (t) => {
  const base = layer('everyAnnotation')
  const page = (key: string) => `${base}/annotations/pages/${key}/items`
  const cases: readonly (readonly [path: string, status: number, code: string])[] = [
    [`${base}/text/pages/obj:99/data`, 404, 'NotFound'],
    [`${base}/render/pages/obj:10/data`, 404, 'NotFound'],
    [page('obj:99'), 404, 'NotFound'],
    [`${base}/pages/obj:99/viewports`, 404, 'NotFound'],
    [`${page('obj:3')}/obj:99/resources/appearance`, 404, 'NotFound'],
    [`${page('obj:3')}/base:7/resources/appearance`, 404, 'NotFound'],
    [`${page('obj:0')}`, 400, 'InvalidArg'],
    [`${page('page-3')}`, 400, 'InvalidArg'],
    [`${page('obj:3')}/nm:a/resources/appearance`, 400, 'InvalidArg'],
  ]
  for (const [path, status, code] of cases) {
    const answer = await api.get(path)
    t.same([answer.status, answer.code, answer.at('/name')], [status, code, 'EngineError'], path)
  }
  t.equal((await api.get(`${base}/text/pages/3/data`)).status, 200, 'older clients send the bare number')
})

t.test('annotations and fields are all listed', async (t) => {
  const all = await api.get(`${layer('everyAnnotation')}/annotations/items`)
  const subtypes = members(all, '/annotations').map((_one, index) => all.at(`/annotations/${index}/subtype`))
  const expected =
    'square highlight underline squiggly strikeout circle polygon polyline line ink free-text caret text popup stamp file-attachment link link redact unsupported widget text'
  t.same(subtypes, expected.split(' '))
  t.match(all.at('/annotations/0/ref'), { kind: 'baseIndex', baseIndex: 0 })
  const form = await api.get(`${layer('everyField')}/form`)
  const families = members(form, '/fields').map((_one, index) => form.at(`/fields/${index}/family`))
  t.same(families, ['text', 'checkbox', 'radio', 'combobox', 'listbox', 'pushbutton', 'signature'])
})

t.test('appearances come as a PDF of one page', needs('qpdf', 'pdfinfo'), async (t) => {
  const base = `${layer('everyAnnotation')}/annotations/pages/obj:3/items`
  const read = await api.get(`${base}/obj:23/resources/appearance`)
  const page = { kind: 'objectNumber', objectNumber: 3 }
  const refs = [{ kind: 'objectNumber', page, objectNumber: 23 }]
  const exported = await api.post(`${base}/appearance`, { refs })
  for (const answer of [read, exported]) {
    t.equal(answer.status, 200, answer.text.slice(0, 200))
    const { path } = Workshop.of(t).source(answer.bytes)
    judged('qpdf', ['--check', path])
    t.match(judged('pdfinfo', [path]).toString(), /Pages: +1\n/)
    t.match(judged('pdfinfo', [path]).toString(), /Page size: +100 x 80 pts/)
  }
  t.equal((await api.post(`${base}/appearance`, { refs: [] })).code, 'InvalidArg')
})

t.test('pages are extracted in the order of the request', needs('qpdf', 'pdftotext'), async (t) => {
  const pages = [5, 3].map((objectNumber) => ({ kind: 'objectNumber', objectNumber }))
  const extract = await api.post(`${layer('everyPage')}/pages/extract`, { pages })
  t.equal(extract.status, 200, extract.text.slice(0, 200))
  const { path } = Workshop.of(t).source(extract.bytes)
  judged('qpdf', ['--check', path])
  t.equal(judged('pdftotext', [path, '-']).toString().replace(/\s+/g, ' ').trim(), 'Third page First page')
  for (const bad of [[], [{ kind: 'objectNumber', objectNumber: 0 }], 'all']) {
    t.equal((await api.post(`${layer('everyPage')}/pages/extract`, { pages: bad })).code, 'InvalidArg')
  }
  const missing = [{ kind: 'objectNumber', objectNumber: 1 }]
  t.equal((await api.post(`${layer('everyPage')}/pages/extract`, { pages: missing })).code, 'NotFound')
})

t.test('geometry, text and forms equal those of other programs', needs('qpdf', 'pdfinfo', 'pdftotext'), async (t) => {
  const { path } = Workshop.of(t).source(everyPage())
  const layout = await api.get(`${layer('everyPage')}/layout`)
  const info = judged('pdfinfo', ['-box', '-l', '-1', path]).toString()
  const sizes = [...info.matchAll(/Page +\d+ size: +(\S+) x (\S+) pts/g)].map(([, width, height]) => [
    Number(width),
    Number(height),
  ])
  const crops = [...info.matchAll(/CropBox: +(\S+) +(\S+) +(\S+) +(\S+)/g)].map((box) => box.slice(1).map(Number))
  for (const [index, [left, bottom, right, top]] of crops.entries()) {
    t.match(layout.at(`/pages/${index}/pdfCropBox`), { left, bottom, right, top })
    const { width, height } = Object(layout.at(`/pages/${index}/size`))
    // Versions of pdfinfo differ in the treatment of /UserUnit.
    if (layout.at(`/pages/${index}/userUnit`) === 1) t.same(sizes[index], [width, height], `page ${index}`)
    const text = judged('pdftotext', ['-f', `${index + 1}`, '-l', `${index + 1}`, path, '-']).toString()
    const page = layout.at(`/pages/${index}/ref/objectNumber`)
    const read = await api.get(`${layer('everyPage')}/text/pages/obj:${page}/data`)
    t.equal(String(read.at('/text')).trim(), text.trim())
  }
  const seen = JSON.parse(judged('qpdf', ['--json', path]).toString())
  t.same(
    members(layout, '/pages').map((_page, index) => `${layout.at(`/pages/${index}/ref/objectNumber`)} 0 R`),
    seen.pages.map(({ object }: { object: string }) => object),
  )
  t.same(
    members(layout, '/pages').map((_page, index) => layout.at(`/pages/${index}/label`)),
    ['i', 'ii', 'A-5'],
  )
  t.match(layout.at('/namedPages'), [{ name: 'Plan', target: { kind: 'page', page: { objectNumber: 4 } } }])
  const form = await api.get(`${layer('everyField')}/form`)
  const formFile = Workshop.of(t).source(everyField()).path
  const fields = JSON.parse(judged('qpdf', ['--json', formFile]).toString()).acroform.fields
  const names = new Set(fields.map(({ fullname }: { fullname: string }) => fullname))
  t.same(new Set(members(form, '/fields').map((_field, index) => form.at(`/fields/${index}/name`))), names)
})

const members = (answer: Answer, pointer: string): readonly unknown[] => {
  const list = answer.at(pointer)
  return Array.isArray(list) ? list : []
}
