import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { Disk } from '../../../core/ports/disk.js'
import { nodeHost } from '../../../core/ports/node-host.js'
import { systemRandom } from '../../../core/ports/random.js'
import { acquireLock, type LockOptions, lockLimits, unlock } from '../../../core/state/lock.js'
import { FaultDisk } from '../../faults/disk.js'
import { fakeHost, refusal, stoppedClock } from './fixtures.js'

const path = '/demo/agents.state.lock'
const onlyOnLinux = process.platform === 'linux' ? false : 'there is no /proc'
const freshDisk = () => new FaultDisk({ '/demo/agents.yaml': '' })

interface Process {
  readonly pid: number
  readonly host?: string
  /** Pid to start of everything that runs on the host. */
  readonly running: Readonly<Record<number, string>>
}

function optionsOf(disk: Disk, { pid, host = 'here', running }: Process): LockOptions {
  const processes = new Map(Object.entries(running).map(([key, start]) => [Number(key), start]))
  return {
    disk,
    path,
    host: fakeHost(host, pid, processes),
    clock: stoppedClock,
    random: systemRandom,
    command: 'agents apply',
  }
}

t.test('a lock that is held is refused, and the message says by whom and since when', async (t) => {
  const disk = freshDisk()
  const running = { 1: 'boot/1', 2: 'boot/2' }
  const lock = await acquireLock(optionsOf(disk, { pid: 1, running }))
  t.equal(disk.mode(path), 0o600)
  const { code, detail, fix } = await refusal(t, acquireLock(optionsOf(disk, { pid: 2, running })))
  t.equal(code, 'state.locked')
  t.match(detail, '"agents apply" (process 1 on here) has held it since 2026-11-21T10:00:00.000Z')
  t.match(fix, 'agents state unlock')
  await lock.release()
  await (await acquireLock(optionsOf(disk, { pid: 2, running }))).release()
  t.strictSame(disk.paths, ['/demo/agents.yaml'])
})

t.test('the same process cannot take the lock twice', async (t) => {
  const options = optionsOf(freshDisk(), { pid: 1, running: { 1: 'boot/1' } })
  await acquireLock(options)
  t.equal((await refusal(t, acquireLock(options))).code, 'state.locked')
})

t.test('the lock of a process that ended is replaced, and so is one whose pid another process has now', async (t) => {
  for (const running of [{ 2: 'boot/2' }, { 1: 'boot/9', 2: 'boot/2' }]) {
    const disk = freshDisk()
    await acquireLock(optionsOf(disk, { pid: 1, running: { 1: 'boot/1' } }))
    const lock = await acquireLock(optionsOf(disk, { pid: 2, running }))
    t.strictSame(disk.paths, ['/demo/agents.state.lock', '/demo/agents.yaml'], 'the guard is gone')
    t.equal(JSON.parse(disk.text(path) ?? '').pid, 2)
    await lock.release()
    t.equal(disk.text(path), undefined)
  }
})

t.test('the lock of a process that may be alive is never replaced', async (t) => {
  const cases: readonly (readonly [string, Process, Process])[] = [
    [
      'it is on another host',
      { pid: 1, host: 'there', running: { 1: 'boot/1' } },
      { pid: 2, running: { 2: 'boot/2' } },
    ],
    ['its start is unknown', { pid: 1, running: { 1: '' } }, { pid: 2, running: { 1: 'boot/1', 2: 'boot/2' } }],
    ['starts are unknown here', { pid: 1, running: { 1: 'boot/1' } }, { pid: 2, running: { 1: '', 2: '' } }],
  ]
  for (const [title, holder, contender] of cases) {
    const disk = freshDisk()
    await acquireLock(optionsOf(disk, holder))
    const before = disk.text(path)
    const { code, detail } = await refusal(t, acquireLock(optionsOf(disk, contender)))
    t.equal(code, 'state.locked', title)
    if (holder.host) t.match(detail, 'cannot be seen whether it still runs')
    t.equal(disk.text(path), before)
  }
})

t.test('unlock removes the lock of another host, and names the process that held it', async (t) => {
  const disk = freshDisk()
  const here = optionsOf(disk, { pid: 2, running: { 2: 'boot/2' } })
  t.equal(await unlock(here), undefined, 'there is none')
  await acquireLock(optionsOf(disk, { pid: 1, host: 'there', running: { 1: 'boot/1' } }))
  t.match(await unlock(here), { pid: 1, host: 'there', command: 'agents apply' })
  t.strictSame(disk.paths, ['/demo/agents.yaml'])
})

t.test('unlock keeps a lock whose holder is certainly running', async (t) => {
  const disk = freshDisk()
  const running = { 1: 'boot/1', 2: 'boot/2' }
  await acquireLock(optionsOf(disk, { pid: 1, running }))
  const { code, fix } = await refusal(t, unlock(optionsOf(disk, { pid: 2, running })))
  t.equal(code, 'state.lock-in-use')
  t.match(fix, 'kill -INT 1')
  t.ok(disk.text(path))
})

t.test('a lock that nobody can read is refused until it is unlocked', async (t) => {
  for (const text of ['', '{"pid":1', '{}\n']) {
    const disk = new FaultDisk({ [path]: text })
    const options = optionsOf(disk, { pid: 2, running: { 2: 'boot/2' } })
    t.equal((await refusal(t, acquireLock(options))).code, 'state.locked')
    t.equal(await unlock(options), 'unreadable')
    await acquireLock(options)
  }
})

t.test('a holder whose lock was removed by force does not remove that of the next one', async (t) => {
  const disk = freshDisk()
  const slow = await acquireLock(optionsOf(disk, { pid: 1, host: 'there', running: { 1: 'boot/1' } }))
  const here = optionsOf(disk, { pid: 2, running: { 2: 'boot/2' } })
  await unlock(here)
  await acquireLock(here)
  await slow.release()
  t.equal(JSON.parse(disk.text(path) ?? '').pid, 2)
})

/** A disk whose calls happen in the order that fast-check chooses. */
function scheduled(disk: FaultDisk, scheduler: fc.Scheduler): Disk {
  const step = <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    scheduler.scheduleFunction(call.bind(disk))
  return {
    read: step(disk.read),
    status: step(disk.status),
    realPath: step(disk.realPath),
    linkTarget: step(disk.linkTarget),
    list: step(disk.list),
    write: step(disk.write),
    create: step(disk.create),
    append: step(disk.append),
    rename: step(disk.rename),
    remove: step(disk.remove),
    createFolder: step(disk.createFolder),
    flushFolder: step(disk.flushFolder),
  }
}

t.test(
  'of three contenders for the lock of a dead one at most one wins, in whatever order their steps happen',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const disk = freshDisk()
        await acquireLock(optionsOf(disk, { pid: 1, running: { 1: 'boot/1' } }))
        const running = { 2: 'boot/2', 3: 'boot/3', 4: 'boot/4' }
        const contended = scheduled(disk, scheduler)
        const tries = [2, 3, 4].map((pid) => acquireLock(optionsOf(contended, { pid, running })))
        const ends = Promise.allSettled(tries)
        await scheduler.waitFor(ends)
        const winners = (await ends).flatMap(({ status }, index) => (status === 'fulfilled' ? [index + 2] : []))
        const holder = JSON.parse(disk.text(path) ?? '{}').pid
        if (winners.length > 1) throw new Error(`${winners} all hold the lock`)
        if (winners[0] !== undefined && winners[0] !== holder) throw new Error('the winner was overwritten')
      }),
      { numRuns: 250 },
    )
  },
)

t.test('a lock whose new holder dies during the takeover is taken by the next', async (t) => {
  const dead = { pid: 1, running: { 1: 'boot/1' } }
  const measured = freshDisk()
  await acquireLock(optionsOf(measured, dead))
  const before = measured.calls.length
  await acquireLock(optionsOf(measured, { pid: 2, running: { 2: 'boot/2' } }))

  for (let atCall = before + 1; atCall <= measured.calls.length; atCall++) {
    for (const when of ['before', 'after'] as const) {
      const disk = freshDisk()
      await acquireLock(optionsOf(disk, dead))
      disk.inject({ atCall, when, as: 'crash' })
      await t.rejects(acquireLock(optionsOf(disk, { pid: 2, running: { 2: 'boot/2' } })))
      const next = disk.afterCrash('everything')
      const lock = await acquireLock(optionsOf(next, { pid: 3, running: { 3: 'boot/3' } }))
      t.equal(JSON.parse(next.text(path) ?? '').pid, 3)
      await lock.release()
      t.strictSame(next.paths, ['/demo/agents.yaml'], `${when} call ${atCall}: nothing is left`)
    }
  }
})

t.test('a lock that changes during every attempt is reported as an error', async (t) => {
  const disk = freshDisk()
  const busy: Disk = Object.assign(Object.create(disk), { create: async () => false })
  const { code, detail } = await refusal(t, acquireLock(optionsOf(busy, { pid: 2, running: { 2: 'boot/2' } })))
  t.equal(code, 'state.locked')
  t.match(detail, `each of ${lockLimits.attemptsMax} attempts`)
})

t.test('the host port distinguishes running processes from ended ones', async (t) => {
  const start = await nodeHost.processStart(process.pid)
  t.ok(start)
  t.equal(await nodeHost.processStart(process.pid), start, 'and always the same about it')
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  const pid = child.pid ?? 0
  t.not(await nodeHost.processStart(pid), start)
  await ended(child, 'SIGKILL')
  t.equal(await nodeHost.processStart(pid), null)
})

t.test('a process that ended counts as gone although its parent has not noticed', { skip: onlyOnLinux }, async (t) => {
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => ended(parent, 'SIGKILL'))
  const { value } = await createInterface({ input: parent.stdout })[Symbol.asyncIterator]().next()
  let start = await nodeHost.processStart(Number(value))
  for (let tries = 0; start !== null && tries < 10_000; tries++) start = await nodeHost.processStart(Number(value))
  t.equal(start, null)
})

t.test('exactly one of several real processes takes the lock of a killed one', async (t) => {
  const folder = t.testdir({})
  const lockPath = join(folder, 'agents.state.lock')
  const contenders = await spawnContenders(t, { count: 4, folder, lockPath })
  const [victim, ...others] = contenders
  t.equal(await victim?.print('take'), 'won')
  t.strictSame(await Promise.all(others.map((other) => other.print('take'))), ['lost', 'lost', 'lost'])
  await victim?.kill()
  const left = readFileSync(lockPath)
  for (let round = 0; round < 15; round++) {
    writeFileSync(lockPath, left)
    const answers = await Promise.all(others.map((other) => other.print('take')))
    t.strictSame([...answers].sort(), ['lost', 'lost', 'won'])
    await Promise.all(others.map((other) => other.print('release')))
  }
})

interface Contender {
  print(word: string): Promise<string>
  kill(): Promise<void>
}

async function spawnContenders(
  t: Test,
  { count, folder, lockPath }: { readonly count: number; readonly folder: string; readonly lockPath: string },
): Promise<readonly Contender[]> {
  const program = join(folder, 'contender.mjs')
  const entry = join(import.meta.dirname, 'contender.ts')
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  return Array.from({ length: count }, () => {
    const child = spawn(process.execPath, [program, lockPath], { stdio: ['pipe', 'pipe', 'inherit'] })
    t.teardown(() => ended(child, 'SIGKILL'))
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    return {
      async print(word) {
        child.stdin.write(`${word}\n`)
        const { value } = await lines.next()
        return String(value)
      },
      kill: () => ended(child, 'SIGKILL'),
    }
  })
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exit
}
