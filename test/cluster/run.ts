// npm run cluster-test [-- --minutes N] [--seed S] [--processes N] [--editors N] [--faults kill,stop,…]
//   [--fault-seconds N] [--history FILE]
//
// Runs a cluster of server processes behind nginx under mixed load, with one fault after the other, and checks the recorded
// history. Exits with 1 for any violation.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { buildNextRelease } from '../support/next-release.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { Backups } from './backups.js'
import { startCluster } from './cluster.js'
import { canHappenTo, type Fault, faults } from './faults.js'
import { checkHistory } from './history/check-history.js'
import { importMany } from './load/imports.js'
import type { Load } from './load/load.js'
import { runLoad } from './load/run-load.js'
import { seededDraw } from './seeded-draw.js'

const names = Object.keys(faults).join(',')
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
    processes: { type: 'string', default: '3' },
    editors: { type: 'string', default: '6' },
    faults: { type: 'string', default: names },
    'fault-seconds': { type: 'string', default: '20' },
    history: { type: 'string' },
  },
})
const draw = seededDraw(Number(values.seed))
const seconds = Number(values.minutes) * 60
const chosen = values.faults.split(',').filter((name) => name !== '')
for (const name of chosen)
  if (faults[name] === undefined) throw new Error(`There is no fault ${name}; there are ${names}`)
const folder = mkdtempSync('/tmp/steward-cluster-')
const endings: (() => unknown)[] = []
const teardown = (end: () => unknown) => void endings.unshift(end)
console.log(`seed ${values.seed}, ${seconds} s, faults: ${chosen.join(', ') || 'none'}; logs in ${folder}`)

let violations: readonly unknown[] = [{ rule: 'run', detail: 'the run did not end' }]
try {
  violations = await run()
} finally {
  for (const end of endings) await end()
}
process.exit(violations.length > 0 ? 1 : 0)

async function run(): Promise<readonly unknown[]> {
  const released = chosen.includes('upgrade') && (await buildNextRelease({ teardown }, { agents: 'cli/main.ts' }))
  const upgrade = released ? { nextRelease: join(released, 'agents.js') } : {}
  const options = { folder, processes: Number(values.processes), ...awkward(), ...upgrade }
  const cluster = await startCluster({ teardown }, options)
  let made = 0
  const newPdf = () => {
    made += 1
    return onePage(`0 0 ${made % 500} ${made} re f`)
  }
  const others = cluster.importSources.map((source) => (load: Load, client: string) => importMany(load, client, source))
  const backups = new Backups(cluster)
  const halfway = async (load: Load) => {
    await sleep((seconds * 1000) / 2)
    await backups.make(load)
  }
  const load = {
    others: [...others, halfway],
    seconds,
    editors: Number(values.editors),
    draw,
    newPdf,
    stageSeconds: 30,
  }
  const [result] = await Promise.all([
    runLoad({ ...load, url: cluster.url, apiToken: cluster.apiToken }),
    breakThings(cluster, performance.now() + (seconds - 10) * 1000),
  ])
  await backups.make(result.load)
  await backups.verify(result.load)
  if (values.history !== undefined) {
    writeFileSync(values.history, result.records.map((record) => JSON.stringify(record)).join('\n'))
  }
  const found = checkHistory(result.records)
  const { answered, repeated } = result.attempts
  const count = (kind: string) => result.records.filter((record) => record.kind === kind).length
  console.log(`${answered} answered requests, ${result.documents} documents`)
  console.log(
    `${count('change')} changes, ${count('read')} reads, ${count('event')} events, ${count('promise')} promises`,
  )
  const imports = result.records.filter((record) => record.kind === 'promise' && /^import \S+$/.test(record.subject))
  console.log(`${imports.length} imports`)
  for (const [cause, times] of [...repeated].sort(([, a], [, b]) => b - a))
    console.log(`  sent again ${times} × ${cause}`)
  for (const { rule, detail } of found.slice(0, 50)) console.log(`VIOLATION ${rule}: ${detail}`)
  console.log(found.length === 0 ? 'no violation' : `${found.length} violations`)
  return found
}

type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Causes one fault after the other until the time, with some quiet seconds between them. */
async function breakThings(cluster: Cluster, until: number): Promise<void> {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const ableTo = (name: string) => cluster.servers.filter((server) => canHappenTo(name, server, cluster))
  const first = chosen.filter((name) => ableTo(name).length > 0)
  for (const name of chosen.filter((name) => !first.includes(name)))
    console.log(`${name} cannot happen on this machine`)
  const quietMs = seconds < 120 ? 1500 : 4000
  const faultSeconds = Number(values['fault-seconds'])
  // A stopped process comes back long after its leases have ended.
  const durations: Readonly<Record<string, number>> = { stop: 30 }
  for (let index = 0; ; index++) {
    await pause(quietMs + draw(quietMs))
    // In a long run, faults come in a random order; the first round has each of them once.
    const possible = first.filter((name) => ableTo(name).length > 0)
    if (possible.length === 0) return
    const name = first[index] ?? possible[draw(possible.length)] ?? ''
    const able = ableTo(name)
    const server = able[draw(able.length)]
    const length = Math.max(durations[name] ?? 0, faultSeconds)
    if (server === undefined || performance.now() + (length + 5) * 1000 > until) return
    console.log(`${new Date().toISOString()} ${name} (${server.options.name})`)
    await (faults[name] as Fault)({ cluster, server, seconds: length })
  }
}

/** Gives the first process a small disk of its own and the second one a movable clock, where this machine can. */
function awkward() {
  const small = join(folder, 'server-0', 'data')
  mkdirSync(small, { recursive: true })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512m,mode=700', 'tmpfs', small]).status === 0) {
    teardown(() => spawnSync('umount', ['-l', small]))
  }
  const clockFile = join(folder, 'clock')
  const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
  if (!existsSync(library)) return {}
  writeFileSync(clockFile, '+0\n')
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_CACHE_DURATION: '1',
  }
  return { clockFiles: new Map([[1, clockFile]]), envOf: (index: number) => (index === 1 ? env : {}) }
}
