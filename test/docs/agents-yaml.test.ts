// docs/agents-yaml.md and `agents explain` say everything that the schemas of agents.yaml take, and nothing else.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { editorSchema } from '../../cli/project/editor-schema.js'
import { allKeys, findPath } from '../../cli/reference/find.js'
import { readReference } from '../../cli/reference/reference.js'
import { MemoryDisk } from '../../core/conformance/memory-disk.js'
import { loadProject } from '../../core/declaration/load.js'
import { isObject, type Json } from '../../core/value/tree.js'
import { builtins } from '../../plugins/builtins.js'
import { examples } from '../../plugins/kinds/examples.js'
import { kinds } from '../../plugins/kinds/index.js'
import { agentsYamlPage } from '../../scripts/docs/agents-yaml-page.js'
import { agentsHere } from '../cli/in-process.js'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const page = readFileSync(join(root, 'docs/agents-yaml.md'), 'utf8')
const providers = await Promise.all(Object.values(builtins).map(({ load }) => load()))
const topics = readReference({ kinds, providers })
const keys = topics.flatMap((topic) => allKeys(topic.keys).map((key) => ({ topic, key })))

t.test('the page is what npm run docs makes', async (t) => {
  t.ok((await agentsYamlPage()) === page, 'run "npm run docs"')
})

t.test('every property of the JSON Schema is explained', async (t) => {
  const { $defs } = await editorSchema()
  t.ok(isObject($defs))
  for (const { kind } of kinds) {
    const ofKind = keys.filter(({ topic }) => topic.name === kind)
    const explained = new Set(ofKind.flatMap(({ key }) => [key.segments.at(-1), ...key.aliases]))
    const properties = propertiesOf(isObject($defs) ? $defs[kind] : undefined)
    const names = properties.filter((name) => !Object.hasOwn(builtins, name))
    t.ok(names.length > 2, kind)
    t.same(
      names.filter((name) => !explained.has(name)),
      [],
      kind,
    )
  }
})

t.test('every key has a description and a type, and is found by its path', async (t) => {
  t.ok(keys.length > 120, `${keys.length} keys`)
  for (const { topic, key } of keys) {
    const path = `${topic.name}.${key.path}`
    t.match(key.description, /^[^ ].*[^ ]$/, path)
    t.not(key.type, '', path)
    for (const written of [path, `${topic.name}.${key.segments.join('.')}`]) {
      const found = findPath(topics, written)
      t.ok(found.type === 'keys' && found.keys.includes(key), written)
    }
  }
})

t.test('remarks about providers match the diagnostics of validate for such a file', async (t) => {
  const cases: readonly (readonly [path: string, lane: string, severity: string])[] = [
    ['environment.config.setup_script', 'claude', 'error'],
    ['environment.config.packages.cargo', 'qoder managed', 'error'],
    ['agent.managed_tool_config', 'qoder managed', 'error'],
    ['agent.tunnel', 'ark', 'error'],
    ['file.purpose', 'bailian', 'warning'],
  ]
  for (const [path, lane, severity] of cases) {
    const found = findPath(topics, path)
    const remarks = found.type === 'keys' ? found.keys.flatMap((key) => key.remarks) : []
    t.match(
      remarks.find((remark) => remark.lane === lane),
      { severity, values: { length: 0 } },
      `${path} on ${lane}`,
    )
  }
  const setup = findPath(topics, 'environment.config.setup_script')
  t.ok(setup.type === 'keys' && setup.keys.every(({ remarks }) => remarks.every(({ lane }) => !/^qoder/.test(lane))))
})

t.test('the examples together are a file without a problem', async (t) => {
  const disk = new MemoryDisk()
  const whole = [
    'version: "1"\nproviders: { qoder: { api_key: "${QODER_PAT}" } }\n',
    ...kinds.map(({ kind }) => examples[kind]),
  ]
  disk.put('/project/agents.yaml', whole.join(''))
  disk.put('/project/handbook.md', 'Be kind.\n')
  disk.put('/project/instructions/reviewer.md', 'Review.\n')
  disk.put('/project/skills/review/SKILL.md', '---\nname: review\ndescription: Reviews changes.\n---\nRead it.\n')
  const { diagnostics } = await loadProject({
    file: '/project/agents.yaml',
    workingFolder: '/project',
    disk,
    environment: { QODER_PAT: 'x', ISSUES_TOKEN: 'x', GIT_TOKEN: 'x', DINGTALK_ID: 'x', DINGTALK_SECRET: 'x' },
    kinds,
    builtins,
    isEmulated: false,
  })
  t.same(
    diagnostics.map(({ code, detail }) => `${code}: ${detail}`),
    [],
  )
})

t.test('every link of the page leads somewhere', async (t) => {
  const diagnostics = readFileSync(join(root, 'docs/diagnostics.md'), 'utf8')
  const codes = new Set([...page.matchAll(/\]\(diagnostics\.md#([^)]+)\)/g)].map(([, code]) => code))
  t.ok(codes.size > 100)
  t.same(
    [...codes].filter((code) => !diagnostics.includes(`<a id="${code}">`)),
    [],
  )
  const places = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, place]) => place)
  t.same(
    places.filter((place) => !page.includes(`<a id="${place}">`)),
    [],
  )
})

t.test('agents explain prints a key, a section, and what there is; a mistake gets the nearest path', async (t) => {
  const explain = (...words: readonly string[]) => agentsHere(['explain', ...words], { folder: root })
  t.match((await explain('agent.tools.mcp')).stdout, /list of maps[\s\S]*mcp_server_name/)
  t.match((await explain('agents.delivery')).stdout, /forward: a template that serves end users/)
  t.match((await explain('vaults')).stdout, /static_bearer[\s\S]*Example/)
  t.match((await explain()).stdout, /providers\.claude[\s\S]*deployment/)
  const record: Json = JSON.parse((await explain('agent.resources.git_repository.url', '--json')).stdout)
  t.match(record, { type: 'key', topic: 'agent', path: 'resources[git_repository].url', isRequired: true })
  const wrong = await explain('agent.tols')
  t.equal(wrong.code, 64)
  t.match(wrong.stderr, 'Did you mean "agent.tools"?')
})

function propertiesOf(schema: Json | undefined): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(propertiesOf)
  if (!isObject(schema)) return []
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === 'properties' && isObject(value)
      ? Object.entries(value).flatMap(([key, member]) => [key, ...propertiesOf(member)])
      : propertiesOf(value),
  )
}
