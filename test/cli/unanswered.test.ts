// A provider that takes a write and never answers: one Ctrl-C is enough.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agents, printed, scratchFolder, start } from './program.js'
import { writeAgents } from './projects.js'

const id = 'env_made_elsewhere'

async function applying(t: Test) {
  const folder = scratchFolder(t)
  const { env, objects, knobs, held } = await emulate(t)
  writeAgents(folder, 3)
  await knobs({ hold: { write: 2, when: 'after' } })
  const running = start(['apply', '--yes', '--parallelism', '1'], { folder, env })
  await held()
  running.child.kill('SIGINT')
  await printed(running, 'stderr', 'In flight, with 5 seconds to end: create qoder.agent.agent-')
  const { code, stderr, stdout } = await running.ended
  t.equal(code, 130)
  t.match(stdout, 'Applied: 1 created; 2 interrupted.')
  t.match(stderr, /Interrupted; 2 changes are left/)
  t.notOk(existsSync(join(folder, 'agents.state.lock')))
  await knobs({})
  t.equal((await agents(['apply', '--yes'], { folder, env })).code, 0)
  t.equal((await objects()).length, 3, 'the create that was not answered is found')
}

async function importing(t: Test) {
  const folder = scratchFolder(t)
  const { env, knobs, held, seed } = await emulate(t)
  writeAgents(folder, 1)
  await seed({ provider: 'qoder', kind: 'environment', id })
  await knobs({ hold: { write: 1, when: 'after' } })
  const running = start(['import', 'qoder.environment.base', id], { folder, env })
  await held()
  running.child.kill('SIGINT')
  t.equal((await running.ended).code, 130)
  t.notOk(existsSync(join(folder, 'agents.state.json')), 'nothing is recorded')
  t.notOk(existsSync(join(folder, 'agents.state.lock')))
  await knobs({})
  t.equal((await agents(['import', 'qoder.environment.base', id], { folder, env })).code, 0)
}

t.test('a write that is never answered is aborted five seconds after Ctrl-C', (t) =>
  Promise.all([applying(t), importing(t)]).then(() => {}),
)
