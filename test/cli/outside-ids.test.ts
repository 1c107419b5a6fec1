// Ids of objects outside the project are verified by the plan, so that a wrong one does not fail midway through an apply.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const providers: Readonly<Record<string, { readonly block: string; readonly model: string }>> = {
  qoder: { block: '{ api_key: k-1 }', model: 'auto' },
  claude: { block: '{ api_key: k-1 }', model: 'claude-sonnet-4-5' },
  ark: { block: '{ api_key: k-1 }', model: 'doubao-seed-2-0-pro-260215' },
  bailian: { block: '{ api_key: k-1, workspace_id: w }', model: 'qwen3.7-plus' },
}

/** Declaration that refers to the id. */
const naming: Readonly<Record<string, (model: string) => string>> = {
  'a member of a roster': (model) =>
    `  lead: { model: ${model}, instructions: Lead., multiagent: { type: coordinator, agents: [{ agent_id: ID }] } }\n`,
  'a custom skill': (model) =>
    `  lead: { model: ${model}, instructions: Lead., skills: [{ type: custom, skill_id: ID }] }\n`,
  'a file of a deployment': () => deployment('resources: [{ type: file, file_id: ID, mount_path: a.md }]'),
}

function deployment(more: string): string {
  return `deployments:
  daily:
    agent: helper
    ${more}
    initial_events: [{ type: user.message, content: Go. }]
`
}

for (const [provider, { block, model }] of Object.entries(providers))
  for (const [what, written] of Object.entries(naming)) {
    if (provider === 'ark' && what === 'a file of a deployment') continue // Claude has no such deployments.
    t.test(`${what} is read from ${provider} before anything is written`, async (t) => {
      const folder = scratchFolder(t)
      const emulator = await emulate(t)
      writeFileSync(
        join(folder, 'agents.yaml'),
        `version: "1"
providers: { ${provider}: ${block} }
environments: { base: { config: { type: cloud } } }
agents:
  helper: { model: ${model}, instructions: Help., environment: base }
${written(model).replaceAll('ID', 'nothing_of_this_id')}`,
      )
      for (const words of [['plan'], ['apply', '--yes']]) {
        const { code, stdout, stderr } = await agentsHere(words, { folder, env: emulator.env })
        t.equal(code, 1, stdout)
        t.match(stderr, /\[plan\.outside-missing\]/)
        t.match(stderr, /nothing_of_this_id, which \w+ does not have or has archived/)
      }
      t.strictSame(await emulator.objects(), [])
    })
  }
