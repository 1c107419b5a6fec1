// `npm run bench`, first half: the engine. Speed and size as ratios measured in one run, beside their targets.
//
//   node bench/engine.mjs [--agents 1000] [--small 200] [--synced 1000]
//
// Complete processes of the built program are measured; the emulator is a separate process. All files are temporary.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { medianMs, pairedMs, peakBytes, startEmulator, timed } from './measure.mjs'
import { manyAgents } from './project.mjs'
import { Report } from './report.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '1000' },
    small: { type: 'string', default: '200' },
    synced: { type: 'string', default: '1000' },
  },
})
const [agents, small, synced] = [values.agents, values.small, values.synced].map(Number)
const latencyMs = 50
/** Default of `agents apply`. */
const parallelism = 10

const scratch = mkdtempSync(join(tmpdir(), 'agents-bench-'))
const file = join(scratch, 'agents.yaml')
writeFileSync(file, manyAgents(agents))
const emulator = await startEmulator(program, latencyMs)
const run = (...words) => [program, ...words]
const options = { cwd: scratch, env: { ...process.env, STEWARD_EMULATOR: emulator.url } }
const report = new Report()
const row = (work, measured, target, unit = '×') => report.row(work, measured, target, { unit })

try {
  for (const words of [['--help'], ['completion', 'bash'], ['__complete', 'key']]) {
    const { a: answer, b: bare } = pairedMs(
      21,
      () => timed(run(...words), options),
      () => timed(['-e', '0'], options),
    )
    row(`agents ${words.join(' ')}, against node -e 0`, answer / bare, 1.3)
  }

  const parse = () => timed([join(root, 'bench/parse-yaml.mjs'), file], options)
  const { a: validate, b: parsing } = pairedMs(9, () => timed(run('validate'), options), parse)
  row(`validate of ${agents} agents, against a process that only parses the file`, validate / parsing, 1.3)
  // The anchor is supported by the full YAML parser only, so it parses the whole file.
  const rarer = join(scratch, 'rarer.yaml')
  writeFileSync(rarer, `x-team: &team infra\n${readFileSync(file, 'utf8')}`)
  const { a: rare, b: rareParsing } = pairedMs(9, () => timed(run('validate', '--config', rarer), options), parse)
  row('the same with an anchor, which the YAML parser has to read', rare / rareParsing, 1.6)

  await inFolder(small, latencyMs, (there) => {
    const startUp = timed(run('plan'), there)
    const apply = timed(run('apply', '--yes'), there)
    const ideal = (small * latencyMs) / parallelism
    row(
      `apply of ${small} new agents after start-up, against ${small} × ${latencyMs} ms / ${parallelism}`,
      (apply - startUp) / ideal,
      1.15,
    )
  })

  const startUp = timed(run('plan'), options)
  const before = await emulator.countRequests()
  const apply = timed(run('apply', '--yes'), {
    ...options,
    peakFile: join(scratch, 'apply.peak'),
  })
  const requests = (await emulator.countRequests()) - before
  const ideal = (agents * latencyMs) / parallelism
  row(
    `apply of ${agents} new agents after start-up, against ${agents} × ${latencyMs} ms / ${parallelism}`,
    (apply - startUp) / ideal,
    1.15,
  )
  row('its requests beyond one for each object', requests - agents - 1, 5, 'requests')

  const roundTrip = await emulator.roundTripMs()
  const beforePlan = await emulator.countRequests()
  timed(run('plan'), options)
  const asked = (await emulator.countRequests()) - beforePlan
  row(`plan of ${agents} unchanged agents, requests`, asked, 20, 'requests')
  const plan = medianMs(3, () =>
    timed(run('plan', '--detailed-exitcode'), { ...options, peakFile: join(scratch, 'plan.peak') }),
  )
  row(`plan of ${agents} unchanged agents, in round trips after validate`, (plan - validate) / roundTrip, 20)

  const peak = Math.max(peakBytes(join(scratch, 'apply.peak')), peakBytes(join(scratch, 'plan.peak')))
  row(`peak memory at ${agents} agents`, peak / 1e6, 200, 'MB')
  const recorded = Object.keys(JSON.parse(readFileSync(join(scratch, 'agents.state.json'), 'utf8')).rows).length
  row('state, per resource', statSync(join(scratch, 'agents.state.json')).size / recorded, 600, 'bytes')

  // Without latency the program's own work is what is measured; the lists of the provider are linear.
  const [few, many] = [synced, 4 * synced]
  const times = []
  for (const count of [few, many])
    await inFolder(count, 0, (there) => {
      timed(run('apply', '--yes', '--parallelism', '100'), there)
      times.push({
        sync: medianMs(3, () => timed(run('sync', '--check'), there)),
        plan: medianMs(3, () => timed(run('plan'), there)),
      })
    })
  const [ofFew, ofMany] = times
  row(`sync of ${many} unchanged agents, against ${few}`, ofMany.sync / ofFew.sync, 4.5)
  row(`sync of ${many} unchanged agents, against their plan`, ofMany.sync / ofMany.plan, 3)
} finally {
  await emulator.stop()
  rmSync(scratch, { recursive: true, force: true })
}

process.exitCode = report.print() ? 0 : 1

/** Measures in a project of its own, with an emulated account of its own. */
async function inFolder(count, latencyMs, measure) {
  const folder = mkdtempSync(join(scratch, 'project-'))
  writeFileSync(join(folder, 'agents.yaml'), manyAgents(count))
  const own = await startEmulator(program, latencyMs)
  try {
    await measure({ cwd: folder, env: { ...process.env, STEWARD_EMULATOR: own.url } })
  } finally {
    await own.stop()
  }
}
