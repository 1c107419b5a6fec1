// Values of variables that are ordinary words: records keep their shape.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

for (const word of ['helper', 'type', 'create', 'change', 'qoder', 'agent', 'address'])
  t.test(`a variable whose value is "${word}" renames no member, address or action`, async (t) => {
    const folder = scratchFolder(t)
    const { env } = await emulate(t)
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
providers: { qoder: { api_key: x } }
agents:
  helper: { model: auto, instructions: "Use \${WORD} now." }
`,
    )
    const { code, stdout } = await agentsHere(['plan', '--json'], { folder, env: { ...env, WORD: word } })
    t.equal(code, 0)
    const change = records(stdout).find((record) => record['type'] === 'change')
    t.match(change, { type: 'change', address: 'qoder.agent.helper', action: 'create', kind: 'agent' })
    t.notMatch(stdout, `Use ${word} now.`)
  })

t.test('a variable whose value is a word of this program changes no such word of a record', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"
providers: { qoder: { api_key: x } }
environments: { create: { config: { type: cloud } } }
agents:
  create: { model: auto, environment: create, instructions: "Say \${WORD} \${OTHER} now.", metadata: { state: "\${WORD}" } }
`,
  )
  const run = (WORD: string, ...words: readonly string[]) =>
    agentsHere([...words, '--json'], { folder, env: { ...env, WORD, OTHER: 'qoder.agent.create' } })
  const words = ['apply', 'create', 'update', 'done', 'present', 'intent', 'status', 'diagnostic', 'qoder.environment']
  for (const word of words)
    for (const command of [['plan'], ['apply', '--yes'], ['state', 'show', 'qoder.agent.create', '--live']]) {
      const { code, stdout } = await run(word, ...command)
      t.equal(code, 0, `${word}: ${command.join(' ')}`)
      const shown = records(stdout)
      t.ok(shown.length > 0)
      for (const { type, action, address, after, cause, mode, movedFrom, left, status, state, counts } of shown)
        t.notMatch(
          JSON.stringify([type, action, address, after, cause, mode, movedFrom, left, status, state, counts]),
          /sensitive/,
        )
      t.notMatch(stdout, `Say ${word}`)
    }
  const { stdout } = await run('agent', 'session', 'create', 'create')
  const [session] = records(stdout).filter(({ type }) => type === 'session')
  t.match(session, { provider: 'qoder', address: 'qoder.agent.create' })
})
