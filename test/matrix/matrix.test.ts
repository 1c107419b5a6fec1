// Runs every op on every file, judged by programs that share no code with ours. A seeded sample by default; everything
// with STEWARD_TEST_LONG=1, or by hand with `run.ts`.
import t from 'tap'
import { opWorks } from '../../workers/jobs/load-op-work.js'
import { needs } from '../support/pdf/judges.js'
import { isLong, longTimeoutMs, seed } from '../support/sample.js'
import { coveringNames } from './files/covering.js'
import { type Dimension, dimensionNames, isPossible, specOf, valuesOf } from './files/dimensions.js'
import { givenFiles } from './files/given.js'
import { madeFiles } from './files/made.js'
import { type Job, runMatrix } from './matrix.js'
import { matrixCases, triedTypes } from './ops/index.js'
import { Report } from './report.js'

/** External programs do most of the work and may have to wait for a processor. */
t.setTimeout(isLong ? longTimeoutMs : 20 * 60 * 1000)
t.comment(`STEWARD_TEST_SEED=${seed}`)
const filesOfSample = 12
const casesOfSample = 18
/** Larger files are left to the long run. */
const sampleBytesMax = 300_000

t.test('the matrix tries every op', async (t) => {
  const tried = triedTypes()
  t.same(
    [...opWorks.keys()].filter((type) => !tried.has(type)),
    [],
  )
})

t.test('generated files cover every possible pair of values of two dimensions', async (t) => {
  const specs = coveringNames().map(specOf)
  const pairs = dimensionNames.flatMap((one, place) =>
    dimensionNames.slice(place + 1).flatMap((other) => pairsOf(one, other)),
  )
  const missing = pairs.filter(
    (pair) => !specs.some((spec) => pair.every(([dimension, value]) => spec[dimension] === value)),
  )
  t.same(missing, [])
})

function pairsOf(one: Dimension, other: Dimension): readonly (readonly (readonly [Dimension, string])[])[] {
  return valuesOf(one)
    .flatMap((value) =>
      valuesOf(other).map(
        (beside) =>
          [
            [one, value],
            [other, beside],
          ] as const,
      ),
    )
    .filter((pair) => isPossible(Object.fromEntries(pair)))
}

t.test(
  'after every op, external programs read and draw what the op should produce',
  needs('qpdf', 'pdftotext', 'pdftoppm', 'mutool', 'pikepdf'),
  async (t) => {
    const report = new Report(process.env['STEWARD_MATRIX_LOG'])
    await runMatrix(isLong ? everything() : await sampled(), { report })
    for (const line of report.summary()) t.comment(line)
    t.ok(report.judged > casesOfSample, 'number of judged cases')
    t.equal(
      report.failures,
      0,
      report
        .summary()
        .filter((line) => line.startsWith('failed'))
        .join('\n'),
    )
  },
)

const everything = (): readonly Job[] => [...madeFiles(), ...givenFiles()].map((file) => ({ file, cases: matrixCases }))

/** Half of the sample are generated files. */
async function sampled(): Promise<readonly Job[]> {
  const given = givenFiles().filter(({ isHostile }) => isHostile !== true)
  const files = [...picked(madeFiles(), filesOfSample / 2, 1), ...picked(given, filesOfSample / 2, 2)]
  const jobs = files.map((file, turn) => ({ file, cases: picked(matrixCases, casesOfSample, turn + 3) }))
  const sizes = await Promise.all(jobs.map(async ({ file }) => (await file.bytes()).length))
  return jobs.filter((_, index) => (sizes[index] ?? 0) <= sampleBytesMax)
}

/** Picks distinct items spread over the list, determined by the seed. */
function picked<Item>(items: readonly Item[], count: number, turn: number): readonly Item[] {
  const share = items.length / Math.min(count, items.length)
  const start = (seed * turn) % items.length
  const places = Array.from({ length: Math.min(count, items.length) }, (_, index) => Math.floor(start + index * share))
  return places.flatMap((place) => items[place % items.length] ?? [])
}
