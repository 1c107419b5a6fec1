// SIGKILL on the real program between the entries of a new memory store, and the behaviour of later commands (agent
// configuration 2.8, P-A rule 5).
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from '../cli/emulator.js'
import { agentsHere } from '../cli/in-process.js'
import { scratchFolder, start } from '../cli/program.js'

const entries = ['one.md', 'two.md', 'three.md']
const project = `version: "1"
providers:
  bailian:
    api_key: \${DASHSCOPE_API_KEY}
    workspace_id: \${BAILIAN_WORKSPACE_ID}
memory_stores:
  notes:
    entries:
${entries.map((key) => `      - { key: ${key}, content: Words of ${key} }\n`).join('')}agents:
  helper:
    model: qwen3.7-plus
    instructions: Help.
    memory_stores: [notes]
`

async function prepared(t: Test) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const env = { ...emulator.env, DASHSCOPE_API_KEY: 'any-word', BAILIAN_WORKSPACE_ID: 'another' }
  const write = (text: string) => writeFileSync(join(folder, 'agents.yaml'), text)
  write(project)
  const run = (...words: string[]) => agentsHere(words, { folder, env, sharesState: true })
  t.equal((await run('apply', '--yes', '--exclude', 'memory_store.notes')).code, 0)
  const written = async () =>
    (await emulator.requests()).filter(({ method, path }) => method === 'POST' && path.endsWith('/memories')).length
  const stores = async () => (await emulator.objects()).filter(({ kind }) => kind === 'memory_store').length
  /** Ends the process while its n-th write is held; the first write creates the store. */
  const killedAt = async (hold: { readonly write: number; readonly when: 'before' | 'after' }) => {
    await emulator.knobs({ hold })
    const running = start(['apply', '--yes'], { folder, env })
    await Promise.race([emulator.held(), running.ended])
    running.child.kill('SIGKILL')
    t.equal((await running.ended).signal, 'SIGKILL')
    await emulator.knobs({ hold: null })
  }
  return { folder, run, write, written, stores, killedAt }
}

t.test(
  'killed before an entry: no session mounts the store, and only a run with the same entries continues',
  async (t) => {
    const { folder, run, write, written, stores, killedAt } = await prepared(t)
    await killedAt({ write: 3, when: 'before' })
    const before = await written()
    const files = ['agents.state.json', 'agents.state.journal'].map((name) => readFileSync(join(folder, name), 'utf8'))
    t.notMatch(files.join(''), 'Words of', 'state contains digests only')

    const refused = await run('session', 'create', 'helper')
    t.equal(refused.code, 1)
    t.match(refused.stderr, /bailian\.memory_store\.notes: error: .*\[action\.incomplete\]/)

    for (const changed of [
      project.replace('Words of three', 'Other words of three'),
      project.replace(/ .*two\.md.*\n/, ''),
    ]) {
      write(changed)
      const { code, stderr } = await run('apply', '--yes')
      t.equal(code, 1)
      t.match(stderr, '[plan.pending-initializer-changed]')
    }
    t.equal(await written(), before, 'nothing was written meanwhile')

    write(project)
    t.equal((await run('apply', '--yes')).code, 0)
    t.equal(await stores(), 1)
    t.match((await run('plan')).stdout, 'No changes.')
    t.equal((await run('session', 'create', 'helper')).code, 0)
    for (const key of entries) t.match((await run('memory', 'show', 'notes', key)).stdout, `Words of ${key}`)
  },
)

for (const when of ['before', 'after'] as const)
  for (let write = 1; write <= 1 + entries.length; write++)
    t.test(`killed ${when} write ${write} took effect, the next run fills the same store`, async (t) => {
      const { run, written, stores, killedAt } = await prepared(t)
      await killedAt({ write, when })
      t.equal((await run('apply', '--yes')).code, 0)
      t.equal(await stores(), 1)
      t.match((await run('plan')).stdout, 'No changes.')
      // A write that was held before it took effect was requested twice.
      const repeated = when === 'before' && write > 1 ? 1 : 0
      t.equal(await written(), entries.length + repeated, 'finished entries are not written again')
    })
