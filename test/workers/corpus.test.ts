// The corpus through the pool: real files end no thread, and hostile files do not prevent answers to other requests.
import t, { type Test } from 'tap'
import type { RenderInput } from '../../workers/jobs/render.js'
import { type PdfSource, PoolFailure } from '../../workers/messages/task.js'
import { WorkerPool } from '../../workers/pool/pool.js'
import type { PoolOptions } from '../../workers/pool/pool-options.js'
import { type CorpusFile, corpus, needsCorpus } from '../support/pdf/corpus.js'
import { helvetica, onePage } from '../support/pdf/raw-pdf.js'
import { Workshop } from '../support/pdf/workshop.js'
import { builtThread } from '../support/worker-thread.js'

/** Number of pages that are read of each file: enough to reach its features. */
const pagesMax = 5

async function startPool(t: Test, options: PoolOptions = {}): Promise<WorkerPool> {
  const pool = await WorkerPool.start({ threads: 2, thread: await builtThread(), ...options })
  t.teardown(() => pool.close())
  return pool
}

const picture = (source: PdfSource, page: number): RenderInput => ({
  source,
  page,
  family: 'all',
  view: { viewport: { kind: 'width', width: 400 }, target: undefined, rotation: 0 },
  encoding: { format: 'webp' },
  background: 'white',
})

/** Reads everything of a file like the server: ingest first, then reads of the working copy if there is one. */
async function readAll(
  pool: WorkerPool,
  workshop: Workshop,
  { name, source }: CorpusFile,
): Promise<readonly unknown[]> {
  const workingPath = workshop.path(`working-${name.replaceAll('/', '-')}`)
  const facts = await settled(pool.run('ingest', { source, workingPath }))
  if (facts.status === 'rejected' || facts.value.state === 'failed' || facts.value.pages === null) return [facts]
  const { working, pages } = facts.value
  const read = working === null ? source : { ...source, path: working.path, sizeBytes: working.sizeBytes }
  const numbers = pages.slice(0, pagesMax).map(({ objectNumber }) => objectNumber)
  const path = workshop.path(`extract-${name.replaceAll('/', '-')}`)
  return await Promise.all([
    settled(pool.run('revisions', { source })),
    settled(pool.run('thumbnail', { source: read })),
    settled(pool.run('layout', { source: read })),
    settled(pool.run('metadata', { source: read })),
    settled(pool.run('annotations', { source: read })),
    settled(pool.run('form', { source: read })),
    settled(pool.run('extract', { source: read, pages: numbers.slice(0, 2), path })),
    ...numbers.map((page) => settled(pool.run('render', picture(read, page)))),
    ...numbers.map((page) => settled(pool.run('text', { source: read, page }))),
  ])
}

async function settled<Answer>(promise: Promise<Answer>): Promise<PromiseSettledResult<Answer>> {
  const [result] = await Promise.allSettled([promise])
  return result
}

t.test('reading the files outside hostile/ ends no thread', needsCorpus, async (t) => {
  // Deadlines count processor time: other work of the machine takes only elapsed time.
  const pool = await startPool(t, { deadlineFactor: 3, limits: { deadlineElapsedFactor: 240 } })
  const workshop = Workshop.of(t)
  let answers = 0
  for (const file of corpus().filter(({ isHostile }) => !isHostile)) {
    const { trapped, lost, timedOut } = pool.counters()
    answers += (await readAll(pool, workshop, file)).length
    t.match(pool.counters(), { trapped, lost, timedOut }, file.name)
  }
  t.ok(answers > 500, `${answers} answers`)
})

t.test(
  'hostile files make no other request fail, and all threads of the pool work afterwards',
  needsCorpus,
  async (t) => {
    const pool = await startPool(t, { deadlineFactor: 0.2, limits: { slowTaskMs: 300, deadlineElapsedFactor: 240 } })
    const workshop = Workshop.of(t)
    const good = workshop.source(onePage('BT /F1 12 Tf 20 100 Td (Hello) Tj ET', { resources: helvetica }))
    const hostile = Promise.all(
      corpus()
        .filter(({ isHostile }) => isHostile)
        .map((file) => readAll(pool, workshop, file)),
    )
    let isOver = false
    void hostile.finally(() => {
      isOver = true
    })
    let others = 0
    while (!isOver) {
      const { text } = await pool.run('text', { source: good, page: 3 })
      if (!text.startsWith('Hello')) t.fail(text)
      others += 1
    }
    t.ok(others > 0, `${others} other requests were answered meanwhile`)
    const failures = (await hostile).flat().filter((result) => isFailure(result))
    t.ok(failures.length > 0, 'some hostile files end their thread')
    await pool.probe()
    t.match(pool.counters(), { running: 0, queued: 0, overtime: 0 })
  },
)

const isFailure = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'reason' in result && result.reason instanceof PoolFailure
