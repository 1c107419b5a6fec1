// Creates journal their intents ahead of the changes in progress. Only changes in progress send requests, and an intent whose
// request was not sent is withdrawn when the run is stopped.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isObject } from '../../core/value/tree.js'
import { eventually } from '../support/eventually.js'
import { emulate } from './emulator.js'
import { agents, printed, scratchFolder, start } from './program.js'
import { writeAgents } from './projects.js'

const [parallelism, ahead] = [5, 1]

/** Addresses with an open create, by the journal. */
function openCreates(folder: string): readonly string[] {
  const path = join(folder, 'agents.state.journal')
  if (!existsSync(path)) return []
  const open = new Set<string>()
  for (const line of readFileSync(path, 'utf8').split('\n').slice(1)) {
    if (line === '') continue
    const { rows = {} } = JSON.parse(line) as { rows?: Record<string, unknown> }
    for (const [address, row] of Object.entries(rows)) {
      if (isObject(row) && row['id'] === null) open.add(address)
      else open.delete(address)
    }
  }
  return [...open]
}

t.test('one change at a time prepares no other', async (t) => {
  const folder = scratchFolder(t)
  const { env, knobs, held } = await emulate(t)
  writeAgents(folder, 3)
  await knobs({ hold: { write: 2, when: 'before' } })
  const running = start(['apply', '--yes', '--parallelism', '1'], { folder, env })
  await held()
  t.equal(openCreates(folder).length, 1)
  await knobs({})
  t.equal((await running.ended).code, 0)
})

t.test('a stop leaves no trace of creates that sent nothing; those in progress are recorded', async (t) => {
  const folder = scratchFolder(t)
  const { env, knobs, objects, requests } = await emulate(t)
  writeAgents(folder, 12)
  await knobs({ latencyMs: 2_000 })
  const creates = async () => (await requests()).filter(({ method }) => method === 'POST').length
  const running = start(['apply', '--yes', '--parallelism', String(parallelism)], { folder, env })
  await eventually(() => openCreates(folder).length === parallelism + ahead)
  await eventually(async () => (await creates()) === parallelism)
  running.child.kill('SIGINT')
  await printed(running, 'stderr', 'Stopping:')
  const { code, stdout } = await running.ended
  t.equal(code, 130)
  t.match(stdout, `Applied: ${parallelism} created; ${12 - parallelism} interrupted.`)
  t.equal(await creates(), parallelism, 'what was prepared was not sent')
  const { rows } = JSON.parse(readFileSync(join(folder, 'agents.state.json'), 'utf8'))
  t.equal(Object.keys(rows).length, parallelism)
  await knobs({ latencyMs: 0 })
  t.equal((await agents(['apply', '--yes'], { folder, env })).code, 0)
  t.equal((await objects()).length, 12)
})
