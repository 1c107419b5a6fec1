// SIGKILL on the real program while `sync --import` writes a mark, before and after it took effect: the next run binds
// every object to the same name, and creates nothing twice.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from '../cli/emulator.js'
import { agentsHere } from '../cli/in-process.js'
import { scratchFolder, start } from '../cli/program.js'

const head = 'version: "1"\nproviders:\n  claude:\n    api_key: ${KEY}\n'
const names = ['one', 'two', 'three']

for (const when of ['before', 'after'] as const)
  for (const write of [1, 3])
    t.test(`killed ${when} mark ${write} of ${names.length} took effect, sync --import continues`, async (t) => {
      const emulator = await emulate(t)
      for (const name of names)
        await fetch(`${emulator.url}/_emulator/objects`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ provider: 'claude', kind: 'agent', body: { name, model: 'm', system: 'Help.' } }),
        })
      const folder = scratchFolder(t)
      const file = join(folder, 'agents.yaml')
      writeFileSync(file, head)
      const options = { folder, env: emulator.env, sharesState: true }
      await emulator.knobs({ hold: { write, when } })
      const running = start(['sync', '--import'], options)
      await emulator.held()
      running.child.kill('SIGKILL')
      t.equal((await running.ended).signal, 'SIGKILL')
      await emulator.knobs({ hold: null })
      t.equal(readFileSync(file, 'utf8'), head, 'nothing was written before every object carries its name')

      const { code, stderr } = await agentsHere(['sync', '--import'], options)
      t.equal(code, 0, stderr)
      t.match((await agentsHere(['plan'], options)).stdout, 'No changes.')
      for (const name of names) t.match(readFileSync(file, 'utf8'), `\n  ${name}:\n`)
      const made = (await emulator.requests()).filter(({ method, path }) => method === 'POST' && /\/agents$/.test(path))
      t.same(made, [], 'none was made a second time')
    })
