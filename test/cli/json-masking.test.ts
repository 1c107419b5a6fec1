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
