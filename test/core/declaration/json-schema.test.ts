import { readFileSync } from 'node:fs'
import t from 'tap'
import { Check } from 'typebox/schema'
import { parse } from 'yaml'
import { undescribedKeys } from '../../../core/conformance/undescribed.js'
import { editorSchema } from '../../../core/declaration/json-schema.js'
import { createRegistry } from '../../../core/plugin/registry.js'
import type { Json } from '../../../core/value/tree.js'
import { builtins } from '../../../plugins/builtins.js'
import { kinds } from '../../../plugins/kinds/index.js'

const providers = await Promise.all(
  Object.entries(builtins).map(async ([name, { load }]) => [name, await load()] as const),
)
const schema = editorSchema(createRegistry({ kinds, providers: new Map(providers) }))

function accepts(text: string): boolean {
  const value: Json = parse(text, { merge: true })
  return Check(schema, value)
}

const head = 'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\n'

t.test('the schema is plain JSON Schema of draft 2020-12', async (t) => {
  t.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema')
  const text = JSON.stringify(schema)
  t.strictSame(JSON.parse(text), schema, 'the schema equals its JSON form')
  t.notMatch(text, '"x-secret"')
  t.notMatch(text, '"~')
})

t.test('every property has a description', async (t) => {
  t.same(undescribedKeys({ properties: { a: { properties: { b: {} } } } }), ['.a', '.a.b'])
  t.same(undescribedKeys(schema), [])
})

t.test('the example of init is accepted', async (t) => {
  t.ok(accepts(readFileSync(new URL('../../../examples/four-providers/agents.yaml', import.meta.url), 'utf8')))
})

t.test('right files are accepted and wrong ones are not', async (t) => {
  const cases: readonly (readonly [text: string, isRight: boolean])[] = [
    [head, true],
    ['version: 1\nproviders: { claude: { api_key: x } }\n', false],
    ['version: "1"\n', false],
    [`${head}x-mine: 1\n`, true],
    [`${head}agnts: {}\n`, false],
    [`${head}agents:\n`, true],
    [`${head}agents: { a: { model: m, instructions: x } }\n`, true],
    [`${head}agents: { a: { model: m } }\n`, false],
    [`${head}agents: { a: { model: m, instructions: x, modle: y } }\n`, false],
    [`${head}agents: { a: { model: { p-c: m }, instructions: x, delivery: { qoder: { type: forward } } } }\n`, true],
    [`${head}environments: { e: { config: { type: "\${TYPE}" } } }\n`, true],
    [`${head}environments: { e: { config: { type: clowd } } }\n`, false],
    [
      `${head}vaults: { v: { credentials: [{ name: a, type: static_bearer, mcp_server_url: u, access_token: 123 }] } }\n`,
      true,
    ],
    [
      `${head}agents: { a: { model: m, instructions: x, tools: { builtin: [], mcp: [{ type: mcp_toolkit, mcpServerName: s }] } } }\n`,
      true,
    ],
    [
      `${head}agents: { a: { model: m, instructions: x, tools: { builtin: [], mcp: [{ type: mcp_toolkit }] } } }\n`,
      false,
    ],
    [
      `${head}agents: { a: { model: m, instructions: x, resources: [{ type: github_repository, url: u, checkout: { commit: "\${SHA}" } }] } }\n`,
      true,
    ],
    [
      `${head}agents: { a: { model: m, instructions: x, resources: [{ type: git_repository, url: u, checkout: { commit: abc } }] } }\n`,
      false,
    ],
    ['version: "1"\nproviders: { acme: { plugin: ./acme.mjs, anything: 1 } }\n', true],
    ['version: "1"\nproviders: { acme: { anything: 1 } }\n', false],
    ['version: "1"\nproviders: { p-b: { api_key: x, gatewai: y } }\n', false],
  ]
  for (const [text, isRight] of cases) t.equal(accepts(text), isRight, text)
})
