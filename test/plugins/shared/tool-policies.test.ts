// Maps of tool policies: a canonical form, and its conversion to agents.yaml.
import t from 'tap'
import { declaredTools, normalPolicies } from '../../../plugins/shared/tool-policies.js'

const known = ['bash', 'read', 'write']
const written = (builtin: object, mcp: object = {}) => declaredTools({ builtin, mcp } as never, known, {})

t.test('a list of names and a default with exceptions have the same canonical form', async (t) => {
  t.same(normalPolicies({ '*': 'allow' }, known), { '*': 'allow' })
  t.same(normalPolicies({ bash: 'allow', read: 'allow', write: 'allow' }, known), { '*': 'allow' })
  t.same(normalPolicies({ '*': 'ask', bash: 'allow' }, known), { bash: 'allow', read: 'ask', write: 'ask' })
  t.same(normalPolicies({ '*': 'allow', bash: 'off' }, known), { read: 'allow', write: 'allow' })
  t.same(normalPolicies({}, known), {})
  t.same(normalPolicies({ '*': 'allow', newer: 'ask' }, known), { '*': 'allow', newer: 'ask' })
  t.same(normalPolicies({ bash: 'allow', newer: 'ask' }, known), { bash: 'allow', newer: 'ask' })
})

t.test('2.11 tools that may all be used without asking need no policy', async (t) => {
  t.equal(written({ '*': 'allow' }), undefined)
  t.same(written({ '*': 'ask' }), { builtin: known, default_permission: 'ask' })
  t.same(written({ read: 'allow', bash: 'ask' }), { builtin: ['bash', 'read'], permissions: { bash: 'ask' } })
  t.same(written({}), { builtin: [] })
})

t.test('2.13 a toolkit lists the tools of a server that may be used, unless all may', async (t) => {
  t.same(written({ '*': 'allow' }, { maps: { '*': 'allow' } }), undefined)
  t.same(written({ '*': 'allow' }, { maps: { '*': 'allow', drive: 'off' }, mail: { read: 'allow' }, none: {} }), {
    builtin: known,
    mcp: [
      {
        type: 'mcp_toolkit',
        mcp_server_name: 'maps',
        default_config: { enabled: true },
        configs: [{ name: 'drive', enabled: false }],
      },
      { type: 'mcp_toolkit', mcp_server_name: 'mail', configs: [{ name: 'read', enabled: true }] },
      { type: 'mcp_toolkit', mcp_server_name: 'none' },
    ],
  })
})

t.test(
  'permissions of MCP tools are declared where they are not allow, or differ from those of their server',
  async (t) => {
    const toolkits = {
      maps: { '*': 'ask', drive: 'allow', walk: 'off' },
      mail: { read: 'ask', find: 'allow' },
      auto: { '*': 'auto' },
    }
    t.same(written({}, toolkits)?.['mcp'], [
      {
        type: 'mcp_toolkit',
        mcp_server_name: 'maps',
        default_config: { enabled: true, permission: 'ask' },
        configs: [
          { name: 'drive', enabled: true, permission: 'allow' },
          { name: 'walk', enabled: false },
        ],
      },
      {
        type: 'mcp_toolkit',
        mcp_server_name: 'mail',
        configs: [
          { name: 'read', enabled: true, permission: 'ask' },
          { name: 'find', enabled: true },
        ],
      },
      { type: 'mcp_toolkit', mcp_server_name: 'auto', default_config: { enabled: true, permission: 'auto' } },
    ])
  },
)

t.test('a policy that agents.yaml cannot express is not declared', async (t) => {
  t.equal(written({ bash: 'deny' }), null)
  t.equal(written({ '*': 'fallback' }), null)
  t.equal(written({ '*': 'allow' }, { maps: { '*': 'deny' } }), null)
})
