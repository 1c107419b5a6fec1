// Bidirectional, invisible and control characters of files and providers are never printed to a terminal.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

/** Overrides, marks, isolates, zero widths, line separators. */
const strange = '\u202e\u202d\u2066\u2069\u200b\u200e\u200f\u061c\u2060\ufeff\u2028\u2029'
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/

const text = (word: string) => `${word}${strange}${word}`

const file = (word: string) => `version: "1"
providers:
  claude: { api_key: "\${CLAUDE_KEY}" }
environments:
  base: { description: "${text(word)}", config: { type: cloud } }
memory_stores:
  notes:
    description: "${text(word)}"
    entries: [{ key: a.md, content: "${text(word)}" }]
skills:
  review: { source: ./review }
agents:
  helper:
    description: "${text(word)}"
    model: claude-sonnet-4-5
    instructions: |
      ${text(word)}
      Be kind.
    environment: base
    skills: [review]
    metadata: { "team": "${text(word)}" }
`

t.test('hidden characters of files and providers are shown as escapes', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: string[]) => agentsHere(words, { folder, env: { ...emulator.env, CLAUDE_KEY: 'k' } })
  mkdirSync(join(folder, 'review'))
  writeFileSync(
    join(folder, 'review', 'SKILL.md'),
    `---\nname: review\ndescription: ${text('Reviews')}\n---\n# ${text('Review')}\n`,
  )
  writeFileSync(join(folder, 'agents.yaml'), file('one'))
  const shown = async (code: number, ...words: string[]) => {
    const { stdout, stderr, code: ended } = await run(...words)
    // These characters would cut the lines of a TAP report.
    const named = words.join(' ').replaceAll(strange, '…')
    t.equal(ended, code, named)
    t.notOk(hidden.test(stdout), `stdout of ${named}`)
    t.notOk(hidden.test(stderr), `stderr of ${named}`)
    return stdout
  }
  t.match(await shown(0, 'validate'), /valid/)
  t.match(await shown(0, 'plan'), /\\u202e/)
  await shown(0, 'apply', '--yes')
  const agent = (await emulator.objects()).find(({ kind }) => kind === 'agent')
  await emulator.patch(agent?.id ?? '', { name: text('renamed'), description: text('drifted') })
  await shown(0, 'plan')
  await shown(0, 'plan', '--refresh-only')
  await shown(0, 'state', 'list')
  await shown(0, 'state', 'show', 'claude.agent.helper')
  await shown(0, 'graph')
  await shown(0, 'memory', 'list', 'notes')
  await shown(0, 'memory', 'show', 'notes', 'a.md')
  await shown(0, 'session', 'create', 'helper')
  await shown(0, 'session', 'list')
  await shown(2, 'sync', '--check')
  writeFileSync(join(folder, 'agents.yaml'), file('two').replace('helper:', `"hel${strange}per":`))
  await shown(1, 'validate')
  writeFileSync(join(folder, 'agents.yaml'), file('two').replace('cloud', `"clo${strange}ud"`))
  await shown(1, 'validate')
  writeFileSync(join(folder, 'agents.yaml'), file('two').replace('agents:', `agents: ]${strange}`))
  await shown(1, 'validate')
  await shown(1, 'state', 'show', text('x'))
  await shown(1, 'plan', '--target', text('x'))
  await shown(64, text('plan'))
  await shown(64, 'plan', `--${text('x')}`)
})
