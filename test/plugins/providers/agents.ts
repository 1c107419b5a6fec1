// Agents with everything that a provider lets them have, and what its service makes of them.
import type { JsonObject } from '../../../core/value/tree.js'
import { openArk } from '../ark/subject.js'
import { openBailian } from '../bailian/subject.js'
import { openClaude } from '../claude/subject.js'
import { openQoder } from '../qoder/subject.js'
import type { Workbench } from '../workbench.js'
import type { Course } from './course.js'

export const minimal = { model: 'qwen3.8-max', instructions: 'Help.' }
export const manifest = (text: string) => ({
  'SKILL.md': `---\nname: review\ndescription: Reviews code\n---\n${text}\n`,
})
export const url = 'https://mcp.example/maps'

const maps = { name: 'maps', url }
const weather = { name: 'weather', type: 'http', url: 'https://mcp.example/weather' }
const mail = { name: 'mail', type: 'url', url: 'https://mcp.example/mail' }
const mcp = [
  { type: 'mcp_toolkit', mcp_server_name: 'maps', default_config: { enabled: true } },
  {
    type: 'mcp_toolkit',
    mcp_server_name: 'weather',
    configs: [
      { name: 'today', enabled: true },
      { name: 'alarm', enabled: false },
    ],
  },
]

/** An agent with these built-in tools and servers, `bash` asking. */
const fullWith = (provider: string, builtin: readonly string[], mcp_servers: readonly object[], more: object = {}) => ({
  description: 'Reviews pull requests',
  model: { [provider]: 'qwen3.7-max', other: 'another' },
  instructions: 'Review.\nBe kind.',
  tools: { builtin, default_permission: 'allow', permissions: { Bash: 'ask' }, mcp },
  mcp_servers,
  skills: ['review', { type: 'official', skill_id: 'pdf' }],
  multiagent: { agents: ['helper', { agent_id: 'agent_external' }] },
  metadata: { team: 'data' },
  ...more,
})
type Full = ReturnType<typeof fullWith>

/** Changes that every provider takes. */
function changes(full: Full): readonly object[] {
  const { tools, mcp_servers } = full
  return [
    { ...full, description: 'Other' },
    { ...full, description: undefined },
    { ...full, model: 'qwen3.7-plus' },
    { ...full, instructions: 'Other.' },
    { ...full, tools: { ...tools, permissions: {} } },
    { ...full, tools: { ...tools, default_permission: 'ask' } },
    { ...full, tools: { ...tools, builtin: ['bash', 'grep'] } },
    { ...full, tools: { ...tools, builtin: [] }, multiagent: undefined }, // A coordinator needs tools to delegate with.
    { ...full, tools: { ...tools, mcp: mcp.slice(1) }, mcp_servers: [mcp_servers[1]] },
    { ...full, mcp_servers: undefined, tools: { ...tools, mcp: undefined } },
    { ...full, skills: ['review'] },
    { ...full, skills: undefined },
    { ...full, multiagent: { agents: ['helper'] } },
    { ...full, multiagent: undefined },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    minimal,
    full,
  ]
}
const moved = (full: Full) => ({
  ...full,
  mcp_servers: full.mcp_servers.map((one) => ({ ...one, url: `${url}/other` })),
})

async function furnish(bench: Workbench): Promise<void> {
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  bench.declare('agent', 'helper', minimal)
  await bench.seed('agent', {}, { id: 'agent_external' })
  await bench.create('skill', 'review')
  await bench.create('agent', 'helper')
}

export interface Row extends Course {
  readonly full: Full
  /** Title, and the tools of `full` as they are sent. */
  readonly tools: readonly [title: string, sent: readonly object[]]
  /** Tools of an agent that declares none. */
  readonly allTools: readonly object[]
  /** Title of the exceptions of a toolkit, and the leaf of one. */
  readonly exceptions?: readonly [title: string, leaf: string]
  /** Title of a cleared roster, the leaves of the plan, and the body that clears it. */
  readonly cleared: readonly [title: string, leaves: readonly string[], sent: JsonObject]
  /** Title of the versions of members, where the service has them. */
  readonly members?: string
  /** The service pins members as they are when the coordinator is saved. */
  readonly pinsMembers?: true
  /** Agents pin the versions of their skills. */
  readonly pinsSkills?: true
  /** Code of the refusal of an update from an older version, where the handler does not resolve it. */
  readonly stale?: string
  readonly removal: 'archive' | 'delete'
}

const ask = { permission_policy: { type: 'always_ask' } }
const allow = { permission_policy: { type: 'always_allow' } }
const on = { enabled: true }
const off = { enabled: false }

const onArk = fullWith('ark', ['bash', 'read', 'web_search'], [maps, weather])
const onBailian = fullWith(
  'bailian',
  ['bash', 'read', 'download_file', 'web_search'],
  [{ name: 'maps' }, { name: 'weather', type: 'official' }],
)
const onClaude = fullWith('claude', ['bash', 'read', 'WebFetch', 'download_file'], [maps, weather, mail])
const onQoder = fullWith('qoder', ['bash', 'read', 'web_fetch', 'web_search'], [maps, weather, mail], {
  skills: ['review', { type: 'official', skill_id: 'skill_pdf', version: '1' }],
})

const servers = [{ mcp_server_name: 'maps' }, { mcp_server_name: 'weather' }]
const sentAlike = '2.11 enabled tools and their permissions reach the wire, unknown ones do not'
const exceptions = '2.13 a default that enables a server takes exceptions'

export const rows: Readonly<Record<string, Row>> = {
  ark: {
    open: openArk,
    furnish,
    full: onArk,
    others: { plain: minimal, none: { ...minimal, tools: { builtin: [] } } },
    made: () => ({ name: 'subject', system: 'Review.\nBe kind.', model: { id: 'qwen3.7-max' } }),
    changes: [...changes(onArk), moved(onArk)],
    updateSends: ['description', 'mcp_servers', 'model', 'multiagent', 'name', 'skills', 'system', 'tools', 'version'],
    byHand: {
      change: {
        system: 'Be rude.',
        tools: [{ type: 'custom', name: 'pay', input_schema: '{}' }],
        model: { speed: 'fast' },
        metadata: { owner: 'someone' },
      },
      seen: [
        'metadata/owner',
        'model/speed',
        'system',
        ...['*', 'bash', 'read', 'web_search'].map((tool) => `tools/builtin/${tool}`),
        'tools/mcp/maps/*',
        'tools/mcp/weather/today',
        'tools/undeclared',
      ],
    },
    tools: [
      '2.11 tools are sent with every default spelt out',
      [
        {
          type: 'agent_toolset_20260701',
          default_config: { ...off, ...allow },
          configs: [
            { name: 'bash', ...on, ...ask },
            { name: 'read', ...on, ...allow },
            { name: 'web_search', ...on, ...allow },
          ],
        },
        { type: 'mcp_toolset', ...servers[0], default_config: { ...on, ...allow }, configs: [] },
        {
          type: 'mcp_toolset',
          ...servers[1],
          default_config: { ...off, ...allow },
          configs: [{ name: 'today', ...on, ...allow }],
        },
      ],
    ],
    allTools: [{ type: 'agent_toolset_20260701', default_config: on }],
    cleared: [
      '2.15 rule 7: fields that are no longer declared are cleared, including the roster',
      ['multiagent/agents'],
      { multiagent: null, version: 1 },
    ],
    members: '2.15 rule 6: member versions are neither sent nor compared',
    removal: 'delete',
  },
  bailian: {
    open: openBailian,
    furnish,
    full: onBailian,
    others: { plain: minimal, none: { ...minimal, tools: { builtin: [] } } },
    made: (bench) => ({
      name: 'subject',
      model: { id: 'qwen3.7-max' },
      system: 'Review.\nBe kind.',
      skills: [
        { type: 'customer', skill_id: bench.id('skill', 'review'), version: '1.0' },
        { type: 'official', skill_id: 'pdf', version: '1.0' },
      ],
      multiagent: {
        type: 'coordinator',
        agents: [
          { type: 'agent', id: bench.id('agent', 'helper') },
          { type: 'agent', id: 'agent_external' },
        ],
      },
    }),
    changes: changes(onBailian),
    byHand: {
      change: {
        description: '',
        tools: [
          {
            type: 'builtin_toolkit',
            configs: [
              { name: 'bash', ...on },
              { name: 'glob', ...on },
              { name: 'read', ...on, ...allow },
              { name: 'download_file', ...off },
            ],
          },
        ],
        metadata: { by: 'hand' },
      },
      seen: [
        'description',
        'metadata/by',
        'tools/builtin/bash',
        'tools/builtin/download_file',
        'tools/builtin/glob',
        'tools/mcp/maps/*',
        'tools/mcp/weather/today',
      ],
    },
    tools: [
      sentAlike,
      [
        {
          type: 'builtin_toolkit',
          default_config: off,
          configs: [
            { name: 'bash', ...on, ...ask },
            { name: 'read', ...on, ...allow },
            { name: 'download_file', ...on, ...allow },
          ],
        },
        { type: 'mcp_toolkit', ...servers[0], default_config: { ...on, ...allow }, configs: [] },
        { type: 'mcp_toolkit', ...servers[1], default_config: off, configs: [{ name: 'today', ...on, ...allow }] },
      ],
    ],
    allTools: [{ type: 'builtin_toolkit', default_config: on, configs: [] }],
    exceptions: [exceptions, 'tools/mcp/maps/delete'],
    cleared: [
      '2.15 rule 7 removing multiagent clears the roster with an empty array',
      ['multiagent/agents'],
      { multiagent: { type: 'coordinator', agents: [] }, version: 1 },
    ],
    pinsSkills: true,
    stale: 'conflict_error',
    removal: 'archive',
  },
  claude: {
    open: openClaude,
    furnish,
    full: onClaude,
    others: { plain: minimal, none: { ...minimal, tools: { builtin: [] } } },
    made: (bench) => ({
      name: 'subject',
      model: { id: 'qwen3.7-max', speed: 'standard' },
      system: 'Review.\nBe kind.',
      mcp_servers: [maps, weather, mail].map(({ name, url }) => ({ name, type: 'url', url })),
      skills: [
        { type: 'custom', skill_id: bench.id('skill', 'review'), version: bench.outputs('skill', 'review')['version'] },
        { type: 'anthropic', skill_id: 'pdf', version: String },
      ],
    }),
    changes: [...changes(onClaude), moved(onClaude)],
    updateSends: ['description', 'multiagent', 'version'],
    byHand: {
      change: {
        description: null,
        model: { speed: 'fast' },
        tools: [
          {
            type: 'agent_toolset_20260401',
            default_config: off,
            configs: [
              { name: 'bash', ...on, permission_policy: { type: 'auto' } },
              { name: 'glob', ...on },
              { name: 'read', ...on, ...allow },
            ],
          },
        ],
        mcp_servers: [],
        metadata: { by: 'hand' },
      },
      seen: [
        'description',
        ...['mail', 'maps', 'weather'].map((server) => `mcp_servers/${server}`),
        'metadata/by',
        'model/speed',
        ...['bash', 'glob', 'web_fetch'].map((tool) => `tools/builtin/${tool}`),
        'tools/mcp/mail/*',
        'tools/mcp/maps/*',
        'tools/mcp/weather/today',
      ],
    },
    tools: [
      sentAlike,
      [
        {
          type: 'agent_toolset_20260401',
          default_config: off,
          configs: [
            { name: 'bash', ...on, ...ask },
            { name: 'read', ...on, ...allow },
            { name: 'web_fetch', ...on, ...allow },
          ],
        },
        { type: 'mcp_toolset', ...servers[0], default_config: { ...on, ...allow } },
        { type: 'mcp_toolset', ...servers[1], default_config: off, configs: [{ name: 'today', ...on, ...allow }] },
        { type: 'mcp_toolset', mcp_server_name: 'mail', default_config: { ...on, ...allow } },
      ],
    ],
    allTools: [{ type: 'agent_toolset_20260401', default_config: on }],
    exceptions: [exceptions, 'tools/mcp/maps/delete'],
    cleared: [
      '2.15 rule 7 removing multiagent clears the roster with an explicit null',
      ['multiagent/agents'],
      { multiagent: null, version: 1 },
    ],
    members: '2.15 rule 6 a coordinator is saved again when a member has a new version, which it then pins',
    pinsMembers: true,
    pinsSkills: true,
    stale: 'conflict_error',
    removal: 'archive',
  },
  'qoder, managed': {
    open: openQoder,
    furnish,
    full: onQoder,
    others: { plain: minimal, none: { ...minimal, tools: { builtin: [] } } },
    made: () => ({
      name: 'subject',
      model: 'qwen3.7-max',
      system: 'Review.\nBe kind.',
      mcp_servers: [maps, weather, mail].map(({ name, url }) => ({ name, type: 'http', url })),
    }),
    changes: [...changes(onQoder), moved(onQoder)],
    updateSends: ['description', 'multiagent', 'version'],
    byHand: {
      change: {
        model: 'auto',
        system: 'Be rude.',
        mcp_servers: [{ name: 'maps', type: 'url', url: 'https://elsewhere.example' }],
        skills: [],
        multiagent: null,
        metadata: { stranger: 'yes' },
      },
      seen: [
        ...['mail', 'maps', 'weather'].map((server) => `mcp_servers/${server}/url`),
        'metadata/stranger',
        'model',
        'multiagent/agents',
        'multiagent/type',
        'skills',
        'system',
      ],
    },
    tools: [
      '2.11 tools are sent with Pascal case names and a policy each',
      [
        {
          type: 'agent_toolset_20260401',
          configs: [
            { name: 'Bash', ...on, ...ask },
            { name: 'Read', ...on, ...allow },
            { name: 'WebFetch', ...on, ...allow },
            { name: 'WebSearch', ...on, ...allow },
          ],
        },
        { type: 'mcp_toolset', ...servers[0], default_config: { ...on, ...allow } },
        { type: 'mcp_toolset', ...servers[1], default_config: off, configs: [{ name: 'today', ...on, ...allow }] },
        { type: 'mcp_toolset', mcp_server_name: 'mail', default_config: { ...on, ...allow } },
      ],
    ],
    allTools: [{ type: 'agent_toolset_20260401' }],
    exceptions: [
      '2.13 a toolkit that enables a server takes exceptions, and those that change nothing are left out',
      'tools/mcp/maps/delete',
    ],
    cleared: [
      '2.15 rule 7 a roster that is not declared any more is cleared with null',
      ['multiagent/agents', 'multiagent/type'],
      { multiagent: null, version: 1 },
    ],
    members: '2.15 rule 6 members are sent without versions, pinned by the server, and pinned anew when one moves',
    pinsMembers: true,
    stale: 'conflict_error',
    removal: 'delete',
  },
}
