// Ids from the command line are encoded as one path segment, so that a call cannot reach another resource.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { pathTo } from '../../core/plugin/path-to.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const blocks: Readonly<Record<string, { readonly provider: string; readonly model: string }>> = {
  bailian: { provider: '{ api_key: x, workspace_id: w }', model: 'qwen3.7-max' },
  qoder: { provider: '{ api_key: x }', model: 'ultimate' },
  claude: { provider: '{ api_key: x }', model: 'claude-sonnet-4-5' },
  ark: { provider: '{ api_key: x }', model: 'doubao-seed-2-1-pro-260628' },
}

for (const [name, { provider, model }] of Object.entries(blocks))
  t.test(`${name}: a crafted session id cannot reach an agent`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
providers: { ${name}: ${provider} }
environments: { e: { config: { type: cloud } } }
agents: { a: { model: ${model}, environment: e, instructions: Answer. } }
`,
    )
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
    const applied = await run('apply', '--yes')
    t.equal(applied.code, 0, applied.stderr)
    const [agent] = (await emulator.objects()).filter(({ kind }) => kind.startsWith('agent'))
    t.ok(agent)
    const before = (await emulator.requests()).length
    for (const id of [`../agents/${agent?.id}`, `..%2Fagents%2F${agent?.id}`, '..', `x?y=${agent?.id}`, 'x#y'])
      for (const word of ['show', 'archive', 'delete']) await run('session', word, id)
    t.ok(await emulator.has(agent?.id ?? ''))
    const paths = (await emulator.requests()).slice(before).map(({ path }) => path)
    t.same(
      paths.filter((path) => !/\/sessions\/[^/]+(\/archive)?$/.test(path.replace(/\?.*/, ''))),
      [],
    )
  })

t.test('inserted segments are encoded, literal text is not', async (t) => {
  t.equal(pathTo`/agents/${'a/b c'}/versions/${3}`, '/agents/a%2Fb%20c/versions/3')
  t.equal(pathTo`/agents/${'a\ud800'}`, '/agents/a%EF%BF%BD', 'half a character, as a damaged file may have')
  t.equal(new URL(`http://h${pathTo`/agents/${'..'}/x`}`).pathname, '/agents/%252E%252E/x')
})
