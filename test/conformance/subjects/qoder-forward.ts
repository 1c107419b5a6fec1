// Project with every feature of Qoder's forward API and with external objects, and edits of it.
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { edited, emulatedWith, withFiles } from '../../support/emulated.js'
import { visitedQoder } from '../../support/visitors.js'

const project: Version = {
  text: `version: "1"
providers:
  qoder:
    api_key: \${QODER_KEY}
defaults:
  identity: visitor
environments:
  desk:
    description: Where questions are answered
    config: { type: cloud, packages: { pip: [tabulate] } }
    metadata: { team: shop }
  lab:
    config: { type: cloud }
  outside:
    environment_id: env_outside
tunnels:
  office: { tunnel_id: tnl_emulator }
vaults:
  keys:
    display_name: Keys
    credentials:
      - name: orders
        type: static_bearer
        mcp_server_url: https://orders.example.com/mcp
        access_token: \${ORDERS_TOKEN}
memory_stores:
  findings:
    description: What visitors asked
    entries:
      - { key: first.md, content: Where is my parcel? }
  policies:
    entries_mode: sync
    entries:
      - { key: returns.md, content: Returns are free. }
      - { key: tone.md, content: Be kind. }
skills:
  answers:
    source: ./answers
files:
  handbook:
    source: ./handbook.md
identities:
  visitor:
    external_id: visitor-of-the-shop
    name: Visitor
    metadata: { tier: guest }
  partner:
    identity_id: idn_partner
agents:
  help-desk:
    description: Answers questions
    model: auto
    instructions: Answer what you are asked.
    delivery: { qoder: { type: forward } }
    environment: desk
    vault: keys
    tunnel: office
    skills: [answers]
    files: [handbook]
    memory_stores: [findings, policies]
    default_memory_store: { name: Notes of visitors, description: Kept for them, delete_on_destroy: true }
    mcp_servers:
      - { name: orders, type: url, url: https://orders.example.com/mcp }
    environment_variables: { SHOP: main-street }
    managed_tool_config: { enabled_tools: [create_forward_schedule, list_forward_schedules] }
    metadata: { purpose: help }
  tester:
    model: auto
    instructions: Try things.
    delivery: { qoder: { type: forward } }
    environment: lab
  guest:
    model: auto
    instructions: Look around.
    delivery: { qoder: { type: forward } }
    environment: outside
  lead:
    model: auto
    instructions: Share the work.
    delivery: { qoder: { type: forward } }
    environment: desk
    multiagent: { type: coordinator, agents: [help-desk] }
channels:
  chat:
    type: dingtalk
    agent: help-desk
    credentials: { client_id: c1, client_secret: "\${CHAT_SECRET}" }
    options: { include_thinking: true }
  partners:
    type: feishu
    agent: lead
    identity: partner
    credentials: { app_id: a1, app_secret: "\${CHAT_SECRET}" }
  broadcast:
    type: wecom
    mode: pairing
    credentials: { bot_id: b1, secret: "\${CHAT_SECRET}" }
`,
  files: {
    'answers/SKILL.md': '---\nname: answers\ndescription: How we answer\n---\nLook into the handbook first.\n',
    'handbook.md': 'Be kind.\n',
  },
}

export const qoderForwardSubject: Subject = {
  provider: qoder,
  kinds,
  project,
  edits: {
    'descriptions and instructions changed': edited(
      project,
      ['Answer what you are asked.', 'Answer it twice.'],
      ['name: Visitor\n', 'name: All visitors\n'],
      ['display_name: Keys', 'display_name: All keys'],
      ['What visitors asked', 'What all visitors asked'],
      ['Notes of visitors', 'Notes of all visitors'],
      ['include_thinking: true', 'include_thinking: false'],
    ),
    'optional things were removed': edited(
      project,
      ['    description: Answers questions\n', ''],
      ['    metadata: { purpose: help }\n', ''],
      ['    metadata: { tier: guest }\n', ''],
      ['    skills: [answers]\n', ''],
      ['    files: [handbook]\n', ''],
      ['    tunnel: office\n', ''],
      ['    environment_variables: { SHOP: main-street }\n', ''],
      ['    options: { include_thinking: true }\n', ''],
      ['    multiagent: { type: coordinator, agents: [help-desk] }\n', ''],
    ),
    'mounts and managed tools changed': edited(
      project,
      ['memory_stores: [findings, policies]', 'memory_stores: [policies]'],
      ['enabled_tools: [create_forward_schedule, list_forward_schedules]', 'enabled_tools: []'],
      ['Returns are free.', 'Returns are free for a month.'],
    ),
    'secrets were rotated': { ...project, variables: { ORDERS_TOKEN: 'orders-r0tated', CHAT_SECRET: 'chat-r0tated' } },
    'local files changed': withFiles(project, {
      'answers/SKILL.md': '---\nname: answers\ndescription: How we answer\n---\nAsk back first.\n',
      'handbook.md': 'Be kind and brief.\n',
    }),
    'an agent went to the managed API': edited(project, [
      `    instructions: Try things.
    delivery: { qoder: { type: forward } }
`,
      `    instructions: Try things.
`,
    ]),
    'resources were renamed': edited(
      project,
      ['  desk:\n', '  counter:\n'],
      ['environment: desk\n    vault', 'environment: counter\n    vault'],
      ['environment: desk\n    multiagent', 'environment: counter\n    multiagent'],
      ['  help-desk:\n', '  front-desk:\n'],
      ['    agent: help-desk\n', '    agent: front-desk\n'],
      ['agents: [help-desk]', 'agents: [front-desk]'],
      ['  findings:\n', '  questions:\n'],
      ['[findings, policies]', '[questions, policies]'],
      ['  visitor:\n', '  customer:\n'],
      ['identity: visitor', 'identity: customer'],
      ['  chat:\n', '  talk:\n'],
    ),
  },
  variables: { QODER_KEY: 'pt-0123456789', ORDERS_TOKEN: 'orders-t0ken-value', CHAT_SECRET: 'chat-s3cret-value' },
  startService: emulatedWith(
    [
      { provider: 'qoder', kind: 'environment', api: 'forward', id: 'env_outside', body: { name: 'outside' } },
      { provider: 'qoder', kind: 'identity', id: 'idn_partner', body: { external_id: 'partner-of-the-shop' } },
    ],
    visitedQoder({ identity: 'visitor-of-the-shop', templates: ['help-desk', 'front-desk'] }),
  ),
}
