// Long lists are joined with stored rows in small batches, between which other requests run; concurrent readers of the same
// list share the computation and the bytes.
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { Turns } from '../../../server/concurrency/turns.js'
import { attributedList } from '../../../server/documents/attribution.js'
import type { AuthorshipRow } from '../../../server/rows/authorship.js'
import { transact } from '../../../server/storage/transaction.js'
import { limits } from '../../../workers/limits.js'
import { jsonOf } from '../../../workers/messages/json-answer.js'
import { scratchFolder } from '../../cli/scratch.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes, titled } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { makeDocument, makeTenant, openScene } from '../support/scene.js'

const steps = 12
const count = steps * limits.runItems

/** Counts turns of the event loop until the work is done: opportunities for other requests. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false
  let turns = 0
  const ended = work.then(() => {
    isDone = true
  })
  for (; !isDone; turns++) await setImmediate()
  await ended
  return turns
}

t.test('other requests can run between batches of list items', async (t) => {
  const storage = await openScene(scratchFolder(t))
  t.teardown(() => storage.close())
  const tenant = await makeTenant(storage, 'acme')
  const { document } = await makeDocument(storage, tenant, 'report')
  const { tables } = storage
  const documentRow = await tables.documents.get([tenant, document])
  const tenantRow = await tables.tenants.get([tenant])
  if (!documentRow || !tenantRow) throw new Error('The document or tenant is missing')
  await transact(storage, async (transaction) => {
    for (const number of [7, count - 1])
      transaction.put(tables.authorship.at([tenant, document, 'default', number]), { ...nobody, userId: `u${number}` })
  })
  const item = (number: number, userId: string | null = null) => ({
    ref: { kind: 'objectNumber', page: { kind: 'objectNumber', objectNumber: 3 }, objectNumber: number },
    ...wireOf({ ...nobody, userId }),
    contents: `ä ${number}`,
  })
  const list = { annotations: Array.from({ length: count }, (_, number) => item(number)), pages: [] }
  const turns = new Turns()
  const context = {
    deployment: { tables, turns },
    tenant: { internal: tenant, row: tenantRow },
    document: { internal: document, row: documentRow },
    layerName: 'default',
    layer: undefined,
  }
  const work = attributedList(jsonOf(list, limits), context)
  t.ok((await turnsDuring(work)) >= steps)
  const { bytes } = await work
  const expected = list.annotations.map((one, number) =>
    number === 7 || number === count - 1 ? item(number, `u${number}`) : one,
  )
  t.equal(Buffer.from(bytes).toString('utf8'), JSON.stringify({ ...list, annotations: expected }))

  const many = Promise.all(Array.from({ length: 4 }, () => attributedList(jsonOf(list, limits), context)))
  t.ok((await turnsDuring(many)) >= 4 * steps, 'also with several long lists')
})

const nobody: AuthorshipRow = {
  userId: null,
  createdBy: null,
  modifiedBy: null,
  groupId: null,
  importedBy: null,
  createdAt: null,
  modifiedAt: null,
  filledBy: null,
  filledByName: null,
  filledAt: null,
}

const wireOf = ({ filledBy: _by, filledByName: _name, filledAt: _at, ...row }: typeof nobody & { userId: unknown }) =>
  row

t.test('concurrent readers get equal responses from one computation, in every content coding', async (t) => {
  const server = await runServer(t)
  const { api } = server
  const docId = await server.upload(squaresAndPages(1500))
  const path = layerPath({ docId })
  t.same(outcomes(await change(api, { docId }, { opId: 'edit', ops: [titled('edited')] })), ['applied'])
  const misses = async () => Number(/read-cache-miss"\} (\d+)/.exec((await api.get('/metrics')).text)?.[1] ?? 0)
  for (const [list, length] of [
    ['annotations/items', 1500],
    ['manifest', 1500],
  ] as const) {
    const before = await misses()
    const codings = ['identity', 'gzip', 'br', 'identity', 'gzip', 'br', 'identity', 'br']
    const answers = await Promise.all(
      codings.map((coding) => api.get(`${path}/${list}`, { 'accept-encoding': coding })),
    )
    for (const answer of answers) t.same(answer.json(), done(answers[0] ?? answer).json())
    t.equal(new Set(answers.map(({ headers }) => headers.get('etag')?.replace('W/', ''))).size, 1)
    const { annotations, pages } = Object(answers[0]?.json())
    t.equal((annotations ?? pages).length, length)
    // Every request during the computation counts as a cache miss; later ones are hits.
    const made = await misses()
    t.ok(made > before)
    t.same((await api.get(`${path}/${list}`)).json(), answers[0]?.json())
    t.equal(await misses(), made)
  }
})

/** Makes a PDF with this many pages, and as many annotations on the first page. */
function squaresAndPages(count: number): Uint8Array {
  const pages = Array.from({ length: count }, (_, index) => index + 3)
  const squares = pages.map((page) => page + count)
  const refs = (numbers: readonly number[]) => numbers.map((number) => `${number} 0 R`).join(' ')
  const annots = `/Annots[${refs(squares)}]`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${refs(pages)}]/MediaBox[0 0 300 300]>>`,
    ...pages.map((_, index) => `<</Type/Page/Parent 2 0 R${index === 0 ? annots : ''}>>`),
    ...squares.map((_, index) => `<</Type/Annot/Subtype/Square/Rect[1 1 20 20]/Contents(Note ${index})>>`),
  ]
  return rawPdf(Object.fromEntries(objects.map((object, index) => [index + 1, object])))
}
