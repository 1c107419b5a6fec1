// A run that finds no room for its files says how far it came, and leaves no half a file. The room is a limit on the size
// of files: unlike a small file system, any user may set one.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { program, type Run, type RunOptions, records, scratchFolder } from './program.js'
import { writeAgents } from './projects.js'

const key = { QODER_PAT: 'x' }
const agentCount = 24

/** Runs the program with room for `blocks` of 512 bytes in each file. */
async function agentsWithin(blocks: number, words: readonly string[], { folder, env }: RunOptions): Promise<Run> {
  const command = `ulimit -f ${blocks}; exec "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', command, process.execPath, program, ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const seen = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      seen[name] += text
    })
  const [code, signal] = await once(child, 'close')
  return { code, signal, ...seen }
}

for (const blocks of [3, 8, 16])
  t.test(`an apply with room for ${blocks} blocks ends with a summary, and the next one finishes it`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const env = { ...emulator.env, ...key }
    writeAgents(folder, agentCount)
    const { code, stdout, stderr } = await agentsWithin(blocks, ['apply', '--yes', '--json'], { folder, env })
    const made = (await emulator.objects()).length
    t.ok(made < agentCount, 'the room was not enough')
    t.equal(code, made === 0 ? 1 : 3, stderr)
    const all = records(stdout)
    const summary = all.findLast(({ type }) => type === 'summary')
    t.ok(summary, 'the summary is there')
    const outcomes = all.filter(({ type }) => type === 'outcome')
    t.equal(outcomes.length, agentCount, 'every change has its outcome')
    const counts = summary?.['outcomes'] as Readonly<Record<string, number>>
    t.equal((counts['done'] ?? 0) + (counts['partial'] ?? 0), made, 'what was made counts as made')
    for (const { status, id } of outcomes) t.equal(id !== undefined, status === 'done' || status === 'partial')
    t.match(stdout, /"code":"state\.disk-full"/)
    t.notOk(existsSync(join(folder, 'agents.state.temporary')))

    const next = await agentsWithin(1_000_000, ['apply', '--yes'], { folder, env })
    t.equal(next.code, 0, next.stderr)
    t.equal((await emulator.objects()).length, agentCount, 'nothing was made twice')
  })

t.test('a state that cannot be replaced at the end is reported, and its journal has everything', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const env = { ...emulator.env, ...key }
  writeAgents(folder, agentCount)
  await agentsWithin(1_000_000, ['apply', '--yes'], { folder, env })
  writeAgents(folder, agentCount + 1)
  const { code, stdout, stderr } = await agentsWithin(8, ['apply', '--yes'], { folder, env })
  t.equal(code, 3, 'the object is made, its row is not in the state file')
  t.match(stdout, /Applied: 1 created\./)
  t.match(stderr, /\[state\.disk-full\]/)
  t.equal((await agentsWithin(1_000_000, ['apply', '--yes'], { folder, env })).code, 0)
  t.equal((await emulator.objects()).length, agentCount + 1)
})

t.test('a plan that cannot be saved leaves no file, and an older plan as it was', async (t) => {
  const folder = scratchFolder(t)
  const { env: address } = await emulate(t)
  const env = { ...address, ...key }
  writeAgents(folder, agentCount)
  const before = readdirSync(folder)
  const { code, stderr } = await agentsWithin(1, ['plan', '--out', 'saved.plan'], { folder, env })
  t.equal(code, 1)
  t.match(stderr, /EFBIG/)
  t.strictSame(readdirSync(folder), before)
  writeAgents(folder, 1)
  t.equal((await agentsWithin(16, ['plan', '--out', 'saved.plan'], { folder, env })).code, 0)
  writeAgents(folder, agentCount)
  t.equal((await agentsWithin(3, ['plan', '--out', 'saved.plan'], { folder, env })).code, 1)
  t.strictSame(readdirSync(folder), [...before, 'saved.plan'].sort())
  writeAgents(folder, 1)
  t.equal((await agentsWithin(1_000_000, ['apply', 'saved.plan', '--yes'], { folder, env })).code, 0)
})
