// A run without space for its files reports what was done, and leaves no incomplete file. The space is limited by a file
// size limit, which needs no root, unlike a small file system.
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

/** Runs the program with a file size limit of `blocks` of 512 bytes. */
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
  t.test(`an apply with space for ${blocks} blocks ends with a summary, and the next one completes it`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const env = { ...emulator.env, ...key }
    writeAgents(folder, agentCount)
    const { code, stdout, stderr } = await agentsWithin(blocks, ['apply', '--yes', '--json'], { folder, env })
    const made = (await emulator.objects()).length
    t.ok(made < agentCount, 'the limit was reached')
    t.equal(code, made === 0 ? 1 : 3, stderr)
    const all = records(stdout)
    const summary = all.findLast(({ type }) => type === 'summary')
    t.ok(summary, 'the summary is printed')
    const outcomes = all.filter(({ type }) => type === 'outcome')
    t.equal(outcomes.length, agentCount, 'every change has its outcome')
    const counts = summary?.['outcomes'] as Readonly<Record<string, number>>
    t.equal((counts['done'] ?? 0) + (counts['partial'] ?? 0), made, 'created objects are reported as created')
    for (const { status, id } of outcomes) t.equal(id !== undefined, status === 'done' || status === 'partial')
    t.match(stdout, /"code":"state\.disk-full"/)
    t.notOk(existsSync(join(folder, 'agents.state.temporary')))

    const next = await agentsWithin(1_000_000, ['apply', '--yes'], { folder, env })
    t.equal(next.code, 0, next.stderr)
    t.equal((await emulator.objects()).length, agentCount, 'nothing was created twice')
  })

t.test(
  'a state file that cannot be replaced at the end is reported, and the journal contains all changes',
  async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const env = { ...emulator.env, ...key }
    writeAgents(folder, agentCount)
    await agentsWithin(1_000_000, ['apply', '--yes'], { folder, env })
    writeAgents(folder, agentCount + 1)
    const { code, stdout, stderr } = await agentsWithin(8, ['apply', '--yes'], { folder, env })
    t.equal(code, 3, 'the object exists, and its row is not in the state file')
    t.match(stdout, /Applied: 1 created\./)
    t.match(stderr, /\[state\.disk-full\]/)
    t.equal((await agentsWithin(1_000_000, ['apply', '--yes'], { folder, env })).code, 0)
    t.equal((await emulator.objects()).length, agentCount + 1)
  },
)

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
