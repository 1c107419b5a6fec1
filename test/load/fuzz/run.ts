// Fuzzes the program: mutated input of every kind, for a time, one target after the other.
//
//   npm run fuzz -- [--seconds N] [--cases N] [--seed S] [--target pdf|requests|yaml|state|cms|all] [--keep FOLDER]
//
// `--seconds` is the time of each target (default 60). A failing case is stored in the folder (default fuzz-findings) and
// repeated by the printed line. Exit code 1: there were complaints.
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.js'
import { targets } from './targets.js'
import { watchForHangs } from './watch-for-hangs.js'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string' },
    target: { type: 'string', default: 'all' },
    keep: { type: 'string', default: 'fuzz-findings' },
  },
})

const chosen = targets.filter(({ name }) => values.target === 'all' || values.target === name)
if (chosen.length === 0) throw new Error(`No target ${values.target}: one of all, ${targets.map(({ name }) => name)}`)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const seconds = values.seconds ?? (values.cases === undefined ? '60' : undefined)
let failures = 0

for (const target of chosen) {
  console.log(`${target.name}: seed ${seed}`)
  const watch = watchForHangs(target.name)
  const summary = await fuzz(target, {
    seed,
    keep: values.keep,
    report: (line) => console.log(line),
    onCase: watch.begin,
    ...(values.cases !== undefined && { cases: Number(values.cases) }),
    ...(seconds !== undefined && { seconds: Number(seconds) }),
  })
  watch.end()
  failures += summary.failures.length
  console.log(`${target.name}: ${summary.cases} cases, ${summary.failures.length} with complaints`)
}
process.exit(failures > 0 ? 1 : 0)
