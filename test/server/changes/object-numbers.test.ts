// Reserved object numbers: names of objects before they are created.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { limits } from '../../../server/limits.js'
import { scratchFolder } from '../../cli/scratch.js'
import { misplaced, twoPages } from '../../support/pdf/damaged-pdf.js'
import { encryptedPdf, schemes } from '../../support/pdf/encrypted-pdf.js'
import { formPdf, numbered } from '../../support/pdf/form-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, changesIn, layerPath, outcomes } from './support/changing.js'

const server = await runServer(t)
const { api } = server
const page = numbered(3)
const square = { subtype: 'square', rect: { x: 10, y: 10, width: 20, height: 20 } }
const pdf = onePage('0 0 100 100 re f')

interface Range {
  readonly first: number
  readonly count: number
}

async function reserve(client: Client, docId: string, count: number, layerName = 'default'): Promise<readonly Range[]> {
  const answer = await client.post(`${layerPath({ docId, layerName })}/object-numbers`, { count }).then(done)
  t.ok(Number(answer.at('/expiresIn')) > 3600, 'for hours')
  return answer.at('/objectNumbers') as readonly Range[]
}

const numbersIn = (ranges: readonly Range[]): readonly number[] =>
  ranges.flatMap(({ first, count }) => Array.from({ length: count }, (_, index) => first + index))

const create = (objectNumber: number, opId = `create-${objectNumber}`) => ({
  opId,
  ops: [{ type: 'annotations.create', page, data: square, objectNumber }],
})

const reasonOf = (answer: Awaited<ReturnType<typeof change>>) =>
  (changesIn(answer)[0] as { error?: { details?: { reason?: unknown } } }).error?.details?.reason

t.test('an annotation gets the number its author reserved, and others get numbers beside it', async (t) => {
  const docId = await server.upload(pdf)
  const [ada, bob] = await Promise.all(
    ['ada', 'bob'].map(async (sub) => api.as(await server.documentToken(docId, ['*'], { sub }))),
  )
  if (!ada || !bob) throw new Error('There are two people')
  const [ofAda, ofBob] = [numbersIn(await reserve(ada, docId, 8)), numbersIn(await reserve(bob, docId, 8))]
  t.equal(new Set([...ofAda, ...ofBob]).size, 16, 'nobody gets the numbers of another')

  const free = await ada.post(`${layerPath({ docId })}/annotations/pages/obj:3/items`, square).then(done)
  t.notOk([...ofAda, ...ofBob].includes(Number(free.at('/annotation/ref/objectNumber'))), 'a free one')
  const [, first = 0, second = 0] = ofAda
  const made = await ada
    .post(`${layerPath({ docId })}/annotations/pages/obj:3/items?objectNumber=${second}`, square)
    .then(done)
  t.equal(made.at('/annotation/ref/objectNumber'), second)
  t.same(outcomes(await change(ada, { docId }, create(first))), ['applied'])

  await t.test('each number once, by whoever reserved it', async (t) => {
    const again = await change(ada, { docId }, create(first, 'again'))
    t.same([outcomes(again), reasonOf(again)], [['ObjectNumberUnavailable'], 'taken'])
    const stolen = await change(ada, { docId }, create(ofBob[0] ?? 0))
    t.same([outcomes(stolen), reasonOf(stolen)], [['ObjectNumberUnavailable'], 'not-held'])
    const wild = await change(ada, { docId }, create(900_000))
    t.same([outcomes(wild), reasonOf(wild)], [['ObjectNumberUnavailable'], 'not-held'])
    const [, , , third = 0] = ofAda
    const twice = { opId: 'twice', ops: [...create(third).ops, ...create(third).ops] }
    t.same(outcomes(await change(ada, { docId }, twice)), ['ObjectNumberUnavailable'])
    t.same(outcomes(await change(ada, { docId }, create(third))), ['applied'], 'a refused change uses none up')
    const [elsewhere = 0] = numbersIn(await reserve(api, docId, 1, 'other'))
    t.same(outcomes(await change(api, { docId }, create(elsewhere))), ['ObjectNumberUnavailable'], 'of its layer only')
  })

  await t.test('undo and redo keep the number; it is never given away', async (t) => {
    t.same(outcomes(await change(ada, { docId }, { opId: 'undo', undoOf: `create-${first}` })), ['applied'])
    const reused = await change(ada, { docId }, create(first, 'reused'))
    t.equal(outcomes(reused)[0], 'ObjectNumberUnavailable')
    t.same(outcomes(await change(ada, { docId }, { opId: 'redo', undoOf: 'undo' })), ['applied'])
    const list = await ada.get(`${layerPath({ docId })}/annotations/items`).then(done)
    t.match(list.text, `"objectNumber":${first}`)
  })

  await t.test('the file is sound', needs('qpdf'), async (t) => {
    const path = join(scratchFolder(t), 'numbered.pdf')
    writeFileSync(path, (await ada.get(`${layerPath({ docId })}/download`).then(done)).bytes)
    t.match(judged('qpdf', ['--check', path]).toString(), 'No syntax or stream encoding errors')
  })
})

t.test('fields and their widgets get reserved numbers', async (t) => {
  const docId = await server.upload(formPdf())
  const [field = 0, one = 0, two = 0, added = 0, signed = 0] = numbersIn(await reserve(api, docId, 5))
  const rect = (x: number) => ({ page, rect: { x, y: 10, width: 30, height: 12 } })
  const draft = { family: 'text', name: 'reserved', widgets: [rect(10), rect(50)] }
  const made = await change(
    api,
    { docId },
    {
      opId: 'field',
      ops: [{ type: 'forms.create', draft, objectNumber: field, widgetObjectNumbers: [one, two] }],
    },
  )
  t.same(outcomes(made), ['applied'], made.text)
  t.match(made.at('/changes/0/result/items/0'), {
    field: { ref: { objectNumber: field } },
    widgets: [{ ref: { objectNumber: one } }, { ref: { objectNumber: two } }],
  })
  const more = await change(
    api,
    { docId },
    {
      opId: 'widget',
      ops: [{ type: 'forms.addWidget', field: numbered(field), placement: rect(90), objectNumber: added }],
    },
  )
  t.match(more.at('/changes/0/result/items/0/widgets'), { 2: { ref: { objectNumber: added } } })
  const surplus = { ...draft, name: 'surplus', widgets: [rect(10)] }
  const refused = await change(
    api,
    { docId },
    {
      opId: 'surplus',
      ops: [{ type: 'forms.create', draft: surplus, widgetObjectNumbers: [signed, signed + 1] }],
    },
  )
  t.same(outcomes(refused), ['InvalidArg'])
  const signature = { family: 'signature', name: 'approval', widgets: [rect(130)] }
  const merged = await change(
    api,
    { docId },
    {
      opId: 'signature',
      ops: [{ type: 'forms.create', draft: signature, objectNumber: signed }],
    },
  )
  t.same(outcomes(merged), ['applied'], merged.text)
  t.match(merged.at('/changes/0/result/items/0'), {
    field: { ref: { objectNumber: signed } },
    widgets: [{ ref: { objectNumber: signed } }],
  })
})

t.test('a session begins with numbers for those who may create', async (t) => {
  const docId = await server.upload(pdf)
  const writer = api.as(await server.documentToken(docId, ['doc.open', 'annotations:create:self'], { userId: 'u1' }))
  const reader = api.as(await server.documentToken(docId, ['doc.open', 'doc.annotate.read']))
  const access = (client: Client) => client.post(`${layerPath({ docId })}/access`, { objectNumbers: 8 }).then(done)
  const [first, second] = [await access(writer), await access(writer)]
  t.match([first.at('/edit/session'), second.at('/edit/session')], ['new', 'live'])
  const numbers = [first, second].flatMap((one) => numbersIn(one.at('/edit/objectNumbers') as readonly Range[]))
  t.equal(new Set(numbers).size, 16)
  t.equal((await access(reader)).at('/edit'), undefined)
  const refused = await reader.post(`${layerPath({ docId })}/object-numbers`, { count: 1 })
  t.same([refused.status, refused.code], [403, 'Forbidden'])
  t.same(outcomes(await change(writer, { docId }, create(numbers[12] ?? 0))), ['applied'])
})

t.test('nobody uses up the numbers of a document, and reservations end', async (t) => {
  const docId = await server.upload(pdf)
  for (const count of [0, -1, 1.5, limits.reservationMax + 1]) {
    const refused = await api.post(`${layerPath({ docId })}/object-numbers`, { count })
    t.same([refused.status, refused.code], [400, 'InvalidArg'], String(count))
  }
  const seen = new Set<number>()
  const rounds = (2 * limits.reservedNumbersMax) / limits.reservationMax
  for (let round = 0; round < rounds; round++)
    for (const number of numbersIn(await reserve(api, docId, limits.reservationMax))) seen.add(number)
  t.equal(seen.size, limits.reservedNumbersMax, 'the oldest are handed out again')
  const [oldest = 0] = [...seen].toSorted((one, other) => one - other)
  t.same(outcomes(await change(api, { docId }, create(oldest))), ['applied'])
  server.clock.advance(limits.reservedNumbersMs + 1000)
  const late = await change(api, { docId }, create(oldest + 1))
  t.same([outcomes(late), reasonOf(late)], [['ObjectNumberUnavailable'], 'not-held'])
})

t.test('numbers that a repair finds in use are given out to nobody', needs('qpdf'), async (t) => {
  const [scheme] = schemes
  if (scheme === undefined) throw new Error('There are schemes')
  const encrypted = encryptedPdf(twoPages(), scheme).toString('latin1')
  const table = encrypted.lastIndexOf('xref\n0 ')
  const free = Number(/^xref\n0 (\d+)/.exec(encrypted.slice(table))?.[1])
  const headers = { 'x-document-password': Buffer.from(scheme.user).toString('base64') }

  /** Uploads the file with objects that its cross-reference table does not list, and with a wrong offset of a page. */
  async function uploadHiding(numbers: readonly number[]) {
    const hidden = numbers.map((number) => `${number} 0 obj\n<</Hidden 1>>\nendobj\n`).join('')
    const start = `startxref\n${table + hidden.length}`
    const tail = encrypted.slice(table).replace(/startxref\n\d+/, start)
    const docId = await server.upload(misplaced(Buffer.from(encrypted.slice(0, table) + hidden + tail, 'latin1'), 3, 2))
    const reserved = async (): Promise<readonly number[]> => {
      const answer = await api.post(`${layerPath({ docId })}/object-numbers`, { count: 4 }, headers).then(done)
      return numbersIn(answer.at('/objectNumbers') as readonly Range[])
    }
    const make = (objectNumber: number) =>
      api.post(`${layerPath({ docId })}/changes`, { changes: [create(objectNumber)] }, headers)
    return { reserved, make }
  }

  await t.test('those of objects in the file are not reserved', async (t) => {
    const { reserved, make } = await uploadHiding(Array.from({ length: 20 }, (_, index) => free + index))
    const numbers = [...(await reserved()), ...(await reserved())]
    t.equal(numbers[0], free + 20)
    for (const number of numbers) t.same(outcomes(await make(number)), ['applied'], 'before and after the repair')
  })

  await t.test('a reservation loses those that only the repair finds', async (t) => {
    const { reserved, make } = await uploadHiding([free + 20_000])
    const [first = 0, second = 0] = await reserved()
    t.equal(first, free)
    t.same(outcomes(await make(first)), ['ObjectNumberUnavailable'])
    t.equal(reasonOf(await make(second)), 'not-held')
    for (const number of await reserved()) {
      t.ok(number > free + 20_000)
      t.same(outcomes(await make(number)), ['applied'])
    }
  })
})

t.test('a document without free numbers is opened all the same, and says so to those who reserve', async (t) => {
  const docId = await server.upload(pdf)
  const { reservableNumberMax } = limits
  const bounds: { reservableNumberMax: number } = limits as never
  bounds.reservableNumberMax = 1
  t.teardown(() => {
    bounds.reservableNumberMax = reservableNumberMax
  })
  const full = await api.post(`${layerPath({ docId })}/object-numbers`, { count: 1 })
  t.same([full.status, full.code], [409, 'LayerFull'])
  t.match(full.at('/error/details'), { lastObjectNumber: 1 })
  const access = await api.post(`${layerPath({ docId })}/access`, { objectNumbers: 8 }).then(done)
  t.equal(access.at('/edit'), undefined)
})

t.test('a write brings numbers for the next ones, once', async (t) => {
  const docId = await server.upload(pdf)
  const writer = api.as(await server.documentToken(docId, ['doc.open', 'doc.annotate.modify']))
  const items = `${layerPath({ docId })}/annotations/pages/obj:3/items`
  const wanting = (count: number | string, opId: string) => ({
    'embedpdf-reserve-object-numbers': String(count),
    'idempotency-key': opId,
  })
  const reservedBy = ({ headers }: Awaited<ReturnType<typeof change>>) =>
    numbersIn(
      [...(headers.get('embedpdf-object-numbers') ?? '').matchAll(/([0-9]+)-([0-9]+)/g)].map(([, first, last]) => ({
        first: Number(first),
        count: Number(last) - Number(first) + 1,
      })),
    )
  const made = await writer.post(items, square, wanting(32, 'made')).then(done)
  const [first = 0, second = 0] = reservedBy(made)
  t.equal(reservedBy(made).length, 32)
  t.match(made.headers.get('embedpdf-object-numbers'), /^[0-9]+-[0-9]+(, [0-9]+-[0-9]+)*$/)
  t.notOk(reservedBy(made).includes(Number(made.at('/annotation/ref/objectNumber'))))
  t.equal((await writer.post(`${items}?objectNumber=${first}`, square).then(done)).status, 200)

  const again = await writer.post(items, square, wanting(32, 'made')).then(done)
  t.ok(again.headers.has('idempotency-replayed'))
  t.same(reservedBy(again), [], 'a repeated write brings none')

  const changes = `${layerPath({ docId })}/changes`
  const two = {
    changes: [
      create(second, 'one'),
      { opId: 'two', ops: create(0).ops.map((op) => ({ ...op, objectNumber: undefined })) },
    ],
  }
  const batch = await writer.post(changes, two, wanting(5, 'unused')).then(done)
  t.same([outcomes(batch), reservedBy(batch).length], [['applied', 'applied'], 5], 'once for all changes of a request')
  const refused = await writer.post(changes, { changes: [create(second, 'late')] }, wanting(5, 'unused')).then(done)
  t.same([outcomes(refused), reservedBy(refused)], [['ObjectNumberUnavailable'], []])

  await t.test('it is made all the same where no numbers are to be had', async (t) => {
    for (const count of ['0', '-1', '1.5', 'many', limits.reservationMax + 1])
      t.same(reservedBy(await writer.post(items, square, wanting(count, `odd ${count}`)).then(done)), [], String(count))
    const filler = api.as(await server.documentToken(docId, ['doc.open', 'doc.metadata.modify']))
    const metadata = `${layerPath({ docId })}/metadata`
    t.same(
      reservedBy(await filler.post(metadata, { title: 'x' }, wanting(8, 'title')).then(done)),
      [],
      'without the right',
    )
    const { reservableNumberMax } = limits
    const bounds: { reservableNumberMax: number } = limits as never
    bounds.reservableNumberMax = 1
    t.teardown(() => {
      bounds.reservableNumberMax = reservableNumberMax
    })
    t.same(reservedBy(await writer.post(items, square, wanting(8, 'full')).then(done)), [])
  })

  await t.test('scripts of other sites may ask for them and read them', async (t) => {
    const origin = 'https://app.example'
    const asked = await api.as(undefined).send(items, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'embedpdf-reserve-object-numbers',
      },
    })
    t.match(asked.headers.get('access-control-allow-headers'), 'embedpdf-reserve-object-numbers')
    const { headers } = await writer.post(items, square, { ...wanting(1, 'cors'), origin }).then(done)
    t.ok((headers.get('access-control-expose-headers') ?? '').split(', ').includes('EmbedPDF-Object-Numbers'))
  })
})
