// Ends of texts that sync replaces or writes: blanks of Unicode, empty lines, the end of the file, and merged maps.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const other = 'before another field'
const head = 'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\n'

/** Applies the agents, changes the description of one at the provider, and syncs. */
async function afterSync(t: Test, agents: string, description: string | null) {
  const folder = scratchFolder(t)
  const file = join(folder, 'agents.yaml')
  const emulator = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'any' } })
  writeFileSync(file, head + agents)
  t.equal((await run('apply', '--yes')).code, 0)
  const [agent] = (await emulator.objects()).filter(({ kind }) => kind === 'agent')
  await emulator.patch(agent?.id ?? '', { description })
  const synced = await run('sync')
  t.equal(synced.code, 0, synced.stderr)
  return { synced, plan: async () => (await run('plan')).stdout, text: readFileSync(file, 'utf8') }
}

for (const blank of ['\u00a0', '\u3000', '\u2003', '\ufeff'])
  for (const description of ['Short', 'Helps: all', `Ends with${blank}`])
    t.test(`a text that ends with U+${blank.charCodeAt(0).toString(16)} is replaced by ${description}`, async (t) => {
      const agents = `agents:\n  one:\n    model: m\n    description: Helps people${blank}\n    instructions: hi\n`
      const { plan, text } = await afterSync(t, agents, description)
      t.match(await plan(), /No changes/)
      t.notMatch(text, 'Helps people')
    })

for (const [place, end] of [
  ['at the end of a file without a last line break', ''],
  ['at the end of a file', '\n'],
  ['before empty lines', '\n\n\n'],
  [other, '\n    model: m\n'],
] as const)
  for (const description of ['a\n\n', 'a\nb\n', 'a\n \n', '\n', 'a\nb', 'a\n'])
    for (const former of ['x', '|+\n      x\n\n'])
      t.test(`${JSON.stringify(description)} in place of ${JSON.stringify(former)} ${place}`, async (t) => {
        const agents = `agents:\n  one:\n    instructions: hi\n${place === other ? '' : '    model: m\n'}    description: ${former}${end}`
        const { plan } = await afterSync(t, agents, description)
        t.match(await plan(), /No changes/)
      })

t.test('a value of a merged map that was cleared at the provider is told of, and not as written', async (t) => {
  const agents =
    'x-common: &common\n  model: m\n  description: shared\nagents:\n  one:\n    <<: *common\n    instructions: hi\n'
  const { synced, text } = await afterSync(t, agents, null)
  t.equal(text, head + agents)
  t.match(synced.stdout + synced.stderr, /sync\.still-different/)
  t.notMatch(synced.stdout, /Wrote/)
})
