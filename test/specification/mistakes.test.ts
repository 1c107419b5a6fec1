// Common mistakes: each is reported once, with its position, cause, fix, and the word that was probably meant.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { agentsHere } from '../cli/in-process.js'
import { records, scratchFolder } from '../cli/scratch.js'

interface Mistake {
  readonly title: string
  readonly yaml: string
  /** All expected diagnostics in this order: `5:1 declaration.unknown-key`. */
  readonly told: readonly string[]
  /** Text in the detail or fix of the first diagnostic. */
  readonly says: RegExp
}

const head = 'version: "1"\nproviders:\n  qoder:\n    api_key: ${KEY}\n'
const helper = 'agents:\n  helper:\n    model: auto\n    instructions: Be brief.\n'
const cloud = 'environments: { base: { config: { type: cloud } } }\n'
const nightly = (members: string) =>
  `${head}${cloud}${helper}    environment: base\ndeployments:\n  nightly:\n    agent: helper\n${members}`
const events = '    initial_events: [{ type: user.message, content: Go. }]\n'

const mistakes: readonly Mistake[] = [
  {
    title: 'a misspelt section',
    yaml: head + helper.replace('agents:', 'agent:'),
    told: ['5:1 declaration.unknown-key'],
    says: /Did you mean "agents"\?/,
  },
  {
    title: 'a misspelt key, which is not missing as well',
    yaml: head + helper.replace('model', 'modle'),
    told: ['7:5 declaration.unknown-key'],
    says: /Did you mean "model"\?/,
  },
  {
    title: 'a list of tools, with the form to write',
    yaml: `${head}${helper}    tools: [Bash, Read]\n`,
    told: ['9:12 declaration.wrong-type'],
    says: /Write \{ builtin: \[Bash, Read\] \}/,
  },
  {
    title: 'a schedule as a text, with the form to write',
    yaml: nightly(`${events}    schedule: "0 7 * * *"\n`),
    told: ['15:15 declaration.wrong-type'],
    says: /Write \{ expression: "0 7 \* \* \*", timezone: [A-Z][a-z]+\/[A-Z][a-z]+ \}/,
  },
  {
    title: 'a skill as its folder, with the form to write',
    yaml: `${head}skills: { triage: ./skills/triage }\n${helper}`,
    told: ['5:19 declaration.wrong-type'],
    says: /Write \{ source: \.\/skills\/triage \}/,
  },
  {
    title: 'one element in place of a list',
    yaml: `${head}${helper}    memory_stores: notes\nmemory_stores: { notes: {} }\n`,
    told: ['9:20 declaration.wrong-type'],
    says: /Write \[notes\]/,
  },
  {
    title: 'half of a key',
    yaml: `${head}vaults:\n  keys:\n    credentials:\n      - { name: t, type: static_bearer, url: "https://x.test", access_token: "\${KEY}" }\n`,
    told: ['8:41 declaration.unknown-key'],
    says: /Did you mean "mcp_server_url"\?/,
  },
  {
    title: 'a misspelt provider',
    yaml: head.replace('qoder', 'qodr') + helper,
    told: ['3:3 provider.unknown'],
    says: /Did you mean "qoder"\?/,
  },
  {
    title: 'a misspelt default provider',
    yaml: `${head}defaults: { provider: qodr }\n${helper}`,
    told: ['5:23 provider.undeclared'],
    says: /Did you mean "qoder"\?/,
  },
  {
    title: 'a pin to a provider that is not declared',
    yaml: `${head}${helper}    provider: claude\n`,
    told: ['9:15 provider.undeclared'],
    says: /Add a block for it under providers/,
  },
  {
    title: 'a misspelt provider in a map by provider',
    yaml: head + helper.replace('auto', '{ qodr: auto }'),
    told: ['7:14 provider.unknown'],
    says: /Did you mean "qoder"\?/,
  },
  {
    title: 'a map by provider without the provider',
    yaml: `${head}${helper}    delivery: { type: forward }\n`,
    told: ['9:17 provider.unknown'],
    says: /This map is by provider/,
  },
  {
    title: 'a misspelt reference',
    yaml: `${head}vaults: { keys: {} }\n${helper}    vault: key\n`,
    told: ['10:12 declaration.unknown-reference'],
    says: /Did you mean "keys"\?/,
  },
  {
    title: 'a reference into an empty section',
    yaml: `${head}${helper}    environment: base\n`,
    told: ['9:18 declaration.unknown-reference'],
    says: /Nothing is declared there/,
  },
  {
    title: 'a misspelt word',
    yaml: nightly('    initial_events: [{ type: user.mesage, content: Go. }]\n'),
    told: ['14:30 declaration.unknown-word'],
    says: /Did you mean "user\.message"\?/,
  },
  {
    title: 'a word in capitals',
    yaml: `${head}${cloud.replace('cloud', 'Cloud')}`,
    told: ['5:41 declaration.unknown-word'],
    says: /Did you mean "cloud"\?/,
  },
  {
    title: 'a text where a map is wanted',
    yaml: `${head}${helper}    tools: read\n`,
    told: ['9:12 declaration.wrong-type'],
    says: /A map is expected/,
  },
  {
    title: 'a list of declarations',
    yaml: `${head}agents:\n  - helper:\n      model: auto\n`,
    told: ['6:3 declaration.wrong-type'],
    says: /Write the name of each agent/,
  },
  {
    title: 'a quoted truth value',
    yaml: `${head}identities: { visitor: { external_id: v-1, enabled: "yes" } }\n`,
    told: ['5:53 declaration.wrong-type'],
    says: /Write true or false, without quotes/,
  },
  {
    title: 'a number where text is wanted, quoted as it is written',
    yaml: `${head}${helper}    metadata: { release: 1.10 }\n`,
    told: ['9:26 declaration.wrong-type'],
    says: /Quote it: "1\.10"\./,
  },
  {
    title: 'a number with more digits than a number has',
    yaml: nightly(`${events}    agent_version: 99999999999999999999\n`),
    told: ['15:20 declaration.invalid-value'],
    says: /more digits than can be stored/,
  },
  {
    title: 'a number that is none',
    yaml: `${head}memory_stores: { notes: { metadata: { weight: .nan } } }\n`,
    told: ['5:47 declaration.wrong-type'],
    says: /JSON/,
  },
  {
    title: 'a key without a value',
    yaml: head + helper.replace('model: auto', 'model:'),
    told: ['7:5 declaration.no-value'],
    says: /Text or map is expected/,
  },
  {
    title: 'a variable that is not set',
    yaml: head.replace('KEY', 'TOKEN') + helper,
    told: ['4:14 variable.unset'],
    says: /TOKEN is neither in the environment nor in a \.env file/,
  },
  {
    title: 'a variable that decides about the provider and is not set',
    yaml: `${head}${helper}    provider: \${WHERE}\n`,
    told: ['9:15 variable.unset-structural'],
    says: /\$\{NAME:-default\}/,
  },
  {
    title: 'a variable in braces without quotes',
    yaml: `${head}${helper}    metadata: { owner: \${KEY} }\n`,
    told: ['9:24 declaration.unquoted-variable'],
    says: /Write: metadata: \{ owner: "\$\{KEY\}" \}/,
  },
  {
    title: 'a tab in front of a key',
    yaml: `${head}agents:\n\thelper: {}\n`,
    told: ['6:1 declaration.tab'],
    says: /Indent with spaces/,
  },
  {
    title: 'a key in another column than its neighbours',
    yaml: `${head}agents:\n  helper:\n    model: auto\n   instructions: Be brief.\n`,
    told: ['8:1 declaration.syntax'],
    says: /same column/,
  },
  {
    title: 'a colon in a text',
    yaml: head + helper.replace('Be brief.', 'Be brief: always.'),
    told: ['8:19 declaration.syntax'],
    says: /must be quoted/,
  },
  {
    title: 'an asterisk in front of a text',
    yaml: head + helper.replace('Be brief.', '*Be* brief.'),
    told: ['8:24 declaration.syntax'],
    says: /begins with a quote, \* or & must be quoted/,
  },
  {
    title: 'an @ in front of a text',
    yaml: head + helper.replace('Be brief.', '@all be brief'),
    told: ['8:19 declaration.syntax'],
    says: /must be quoted/,
  },
  {
    title: 'a duplicate key',
    yaml: `${head}${helper}    model: fast\n`,
    told: ['9:5 declaration.duplicate-key'],
    says: /line 7/,
  },
  {
    title: 'a duplicate section',
    yaml: head + helper + helper.replace('helper', 'other'),
    told: ['9:1 declaration.duplicate-key'],
    says: /line 5/,
  },
  {
    title: 'an alias without an anchor',
    yaml: `${head}${helper}    metadata: *shared\n`,
    told: ['9:15 declaration.unknown-alias'],
    says: /&shared/,
  },
  {
    title: 'an alias inside its own anchor',
    yaml: `${head}memory_stores:\n  notes: &notes\n    metadata: { all: *notes }\n`,
    told: ['7:5 declaration.too-deep'],
    says: /alias inside its own anchor/,
  },
  {
    title: 'a misspelt file',
    yaml: head + helper.replace('Be brief.', './instructons.md'),
    told: ['8:19 source.missing'],
    says: /Did you mean instructions\.md\?/,
  },
  {
    title: 'a misspelt folder on the way',
    yaml: `${head}skills: { review: { source: ./skils/review } }\n`,
    told: ['5:29 source.missing'],
    says: /Did you mean skills\/review\?/,
  },
  {
    title: 'a version without quotes',
    yaml: head.replace('"1"', '1') + helper,
    told: ['1:10 declaration.version'],
    says: /Quote it: version: "1"/,
  },
  {
    title: 'a misspelt time zone',
    yaml: nightly(`${events}    schedule: { expression: "0 9 * * 1-5", timezone: Europe/Berln }\n`),
    told: ['15:54 deployment.schedule-timezone'],
    says: /Did you mean "Europe\/Berlin"\?/,
  },
]

for (const { title, yaml, told, says } of mistakes) {
  t.test(`${title} is reported at its place, with a fix`, async (t) => {
    const folder = scratchFolder(t)
    mkdirSync(join(folder, 'skills/review'), { recursive: true })
    writeFileSync(join(folder, 'skills/review/SKILL.md'), '---\nname: review\ndescription: Reviews.\n---\n')
    writeFileSync(join(folder, 'instructions.md'), 'Be brief.\n')
    writeFileSync(join(folder, 'agents.yaml'), yaml)
    const { stdout } = await agentsHere(['validate', '--json'], { folder, env: { KEY: 'a-key-of-yours' } })
    const found = records(stdout).filter(({ type }) => type === 'diagnostic')
    t.same(
      found.map(({ place, code }) => {
        // Documented in docs/json.md.
        const { file, line, column } = place as { file: string; line: number; column: number }
        t.equal(file, 'agents.yaml')
        return `${line}:${column} ${code}`
      }),
      told,
    )
    for (const one of found) t.match(one, { summary: /^[A-Z]/, detail: /\.$|\?$/, fix: /^[A-Z]/ })
    t.match(`${found[0]?.['detail']} ${found[0]?.['fix']}`, says)
  })
}
