// Rules of what only Qoder's forward API has: templates, identities, channels.
import { agent, type Case, forward, repository } from './case.js'

const store = { name: 'Notes' }
const members = (...agents: readonly unknown[]) => ({ multiagent: { agents } })
const both = { 'agent.helper': agent(), 'agent.template': forward() }
const managedIdentity = { identity: 'me', beside: { 'identity.me': { external_id: 'u1' } } } as const
const channel = (type: string, more: object = {}) => ({ type, ...more })

const templates: readonly Case[] = [
  {
    kind: 'agent',
    on: { qoder: ['7.5 managed_tool_config needs forward delivery', 'managed-tools-need-forward'] },
    passes: [agent(), forward({ managed_tool_config: { enabled_tools: [] } })],
    fails: [
      [agent({ managed_tool_config: { enabled_tools: [] } }), 'managed_tool_config'],
      [
        agent({ delivery: { qoder: { type: 'managed' } }, managed_tool_config: { enabled_tools: ['x'] } }),
        'managed_tool_config',
      ],
    ],
  },
  {
    kind: 'agent',
    on: {
      qoder: ['2.4.1 a managed tool that is not documented gets a warning', 'managed-tool-unknown', 'warning'],
    },
    passes: [
      forward({ managed_tool_config: { enabled_tools: ['create_forward_schedule', 'list_forward_schedules'] } }),
      agent({ managed_tool_config: { enabled_tools: ['x'] } }),
    ],
    fails: [
      [
        forward({ managed_tool_config: { enabled_tools: ['delete_forward_schedule', 'create_forward_scedule'] } }),
        'managed_tool_config.enabled_tools.1',
      ],
    ],
  },
  {
    kind: 'agent',
    on: { qoder: ['7.6 a default memory store needs forward delivery', 'default-memory-needs-forward'] },
    ...managedIdentity,
    passes: [agent(), forward({ default_memory_store: store })],
    fails: [[agent({ default_memory_store: store }), 'default_memory_store']],
  },
  {
    kind: 'agent',
    on: { qoder: ['7.6 a default memory store needs defaults.identity', 'default-memory-needs-identity'] },
    passes: [forward()],
    fails: [[forward({ default_memory_store: store }), 'default_memory_store']],
  },
  {
    kind: 'agent',
    on: {
      qoder: ['7.6 a default memory store with defaults.identity passes', 'default-memory-needs-identity'],
    },
    ...managedIdentity,
    passes: [forward({ default_memory_store: store })],
    fails: [],
  },
  {
    kind: 'agent',
    on: {
      qoder: ['7.6 delete_on_destroy needs an identity that is managed here', 'default-memory-identity-external'],
    },
    identity: 'theirs',
    beside: { 'identity.theirs': { identity_id: 'idn_1' } },
    passes: [forward({ default_memory_store: store })],
    fails: [
      [
        forward({ default_memory_store: { ...store, delete_on_destroy: true } }),
        'default_memory_store.delete_on_destroy',
      ],
    ],
  },
  {
    kind: 'agent',
    on: {
      qoder: ['7.6 delete_on_destroy with a managed identity passes', 'default-memory-identity-external'],
    },
    ...managedIdentity,
    passes: [forward({ default_memory_store: { ...store, delete_on_destroy: true } })],
    fails: [],
  },
  {
    kind: 'agent',
    on: {
      qoder: ['2.11 memory stores of a forward agent need defaults.identity', 'forward-memory-needs-identity'],
    },
    passes: [agent({ memory_stores: ['notes'] }), forward({ memory_stores: [] })],
    fails: [[forward({ memory_stores: ['notes'] }), 'memory_stores']],
  },
  {
    kind: 'agent',
    on: { qoder: ['a forward agent needs an environment', 'forward-needs-environment'] },
    passes: [agent(), forward()],
    fails: [[forward({ environment: undefined }), '']],
  },
  {
    kind: 'agent',
    on: { qoder: ['2.14 resources are for managed sessions', 'forward-session-resources'] },
    passes: [agent({ resources: [repository()] }), forward({ resources: [] })],
    fails: [[forward({ resources: [repository()] }), 'resources']],
  },
  {
    kind: 'agent',
    on: { qoder: ['7.7 a forward roster has no external members', 'forward-external-member'] },
    passes: [agent(members({ agent_id: 'agent_1' })), forward(members('a'))],
    fails: [[forward(members('a', { agent_id: 'agent_1' })), 'multiagent.agents.1']],
  },
  {
    kind: 'agent',
    on: { qoder: ['7.7 a coordinator and its members are delivered alike', 'roster-mixed-delivery'] },
    beside: both,
    passes: [agent(members('helper', { agent_id: 'agent_1' })), forward(members('template'))],
    fails: [
      [agent(members('helper', 'template')), 'multiagent.agents.1'],
      [forward(members('helper', 'template')), 'multiagent.agents.0'],
    ],
  },
]

const channels: readonly Case[] = [
  {
    kind: 'channel',
    on: { qoder: ['2.3 a personal chat is bound by QR code and cannot be declared', 'channel-type-qr-only'] },
    passes: [channel('dingtalk'), channel('other')],
    fails: [[channel('wechat'), 'type']],
  },
  {
    kind: 'channel',
    on: { qoder: ['2.3 other types of channels are unknown', 'channel-type-unknown'] },
    passes: ['dingtalk', 'feishu', 'wecom', 'wechat'].map((type) => channel(type)),
    fails: [[channel('pigeon'), 'type']],
  },
  {
    kind: 'channel',
    on: { qoder: ['2.3 each type of channel has its own credentials', 'channel-credentials'] },
    passes: [
      channel('dingtalk', { credentials: { client_id: 'a', client_secret: 'b' } }),
      channel('feishu', { credentials: { app_id: 'a', app_secret: 'b' } }),
      channel('wecom', { credentials: { bot_id: 'a', secret: 'b' } }),
    ],
    fails: [
      [channel('dingtalk'), ''],
      [channel('dingtalk', { credentials: { client_id: 'a' } }), 'credentials'],
      [channel('feishu', { credentials: { client_id: 'a', client_secret: 'b' } }), 'credentials'],
      [channel('wecom', { credentials: { bot_id: 'a', secret: 'b', app_id: 'c' } }), 'credentials.app_id'],
    ],
  },
  {
    kind: 'channel',
    on: { qoder: ['7.10 a fixed channel needs a forward agent', 'channel-agent-not-forward'] },
    beside: both,
    passes: [
      channel('dingtalk', { agent: 'template' }),
      channel('dingtalk', { agent: 'helper', mode: 'pairing' }),
      channel('dingtalk', { mode: 'pairing' }),
    ],
    fails: [
      [channel('dingtalk', { agent: 'helper' }), 'agent'],
      [channel('dingtalk', { agent: 'helper', mode: 'fixed' }), 'agent'],
    ],
  },
]

export const forwardDelivery: readonly Case[] = [
  ...templates,
  ...channels,
  {
    kind: 'identity',
    on: { qoder: ['2.2 names of an identity are not blank', 'identity-blank'] },
    passes: [{ external_id: 'u1', name: 'Me' }, { identity_id: 'idn_1' }],
    fails: [[{ external_id: ' ', name: '\t' }, 'external_id', 'name']],
  },
]
