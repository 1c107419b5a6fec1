// Runs the matrix or a part of it by hand, and reports the results.
//
//   node scripts/run.mjs test/matrix/run.ts [--slice 3/8] [--files TEXT] [--cases TEXT] [--log FILE] [--keep FOLDER]
//   node scripts/run.mjs test/matrix/run.ts --make NAME > made.pdf
//
// `--files` and `--cases` select by a part of the name; `--name` makes a file of any values; `--keep` stores files with
// complaints in a folder. STEWARD_MATRIX_FILES names further folders of PDFs.
import { parseArgs } from 'node:util'
import { givenFiles } from './files/given.js'
import { madeFile, madeFiles } from './files/made.js'
import { runMatrix } from './matrix.js'
import { matrixCases } from './ops/index.js'
import { Report } from './report.js'

const { values } = parseArgs({
  options: {
    slice: { type: 'string', default: '1/1' },
    files: { type: 'string', default: '' },
    cases: { type: 'string', default: '' },
    name: { type: 'string', multiple: true },
    log: { type: 'string' },
    keep: { type: 'string' },
    make: { type: 'string' },
    beside: { type: 'string', default: '2' },
  },
})

if (values.make !== undefined) {
  process.stdout.write(await madeFile(values.make).bytes())
} else {
  const [slice = 1, of = 1] = values.slice.split('/').map(Number)
  const cases = matrixCases.filter(({ name }) => name.includes(values.cases))
  const wanted = values.name === undefined ? [...madeFiles(), ...givenFiles()] : values.name.map(madeFile)
  const files = wanted.filter(({ name }) => name.includes(values.files)).filter((_, index) => index % of === slice - 1)
  const report = new Report(values.log)
  const startedAt = Date.now()
  const progress = (line: string) => console.error(`${Math.round((Date.now() - startedAt) / 1000)} s: ${line}`)
  await runMatrix(
    files.map((file) => ({ file, cases })),
    { report, progress, beside: Number(values.beside), ...(values.keep !== undefined && { keep: values.keep }) },
  )
  for (const line of report.summary()) console.log(line)
  process.exitCode = report.failures > 0 ? 1 : 0
}
