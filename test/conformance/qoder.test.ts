// The conformance suite on Qoder's managed API, against its emulator.
import t from 'tap'
import { conformance, type Version } from '../../core/plugin/conformance/conformance.js'
import { kinds } from '../../plugins/kinds/index.js'
import { qoderEmulator } from '../../plugins/qoder/emulator/index.js'
import { qoder } from '../../plugins/qoder/index.js'
import { edited, emulated, withFiles } from '../support/emulated.js'

const project: Version = {
  text: `version: "1"
providers:
  qoder:
    api_key: \${QODER_PAT}
environments:
  workshop:
    description: Where reviews run
    config:
      type: cloud
      networking: { type: limited, allowed_hosts: [issues.example.com], allow_mcp_servers: true }
      packages: { pip: [httpx] }
      setup_script: echo ready
    metadata: { team: platform }
vaults:
  keys:
    display_name: Keys
    credentials:
      - name: issues
        type: static_bearer
        mcp_server_url: https://issues.example.com/mcp
        access_token: \${ISSUES_TOKEN}
      - name: github
        type: environment_variable
        secret_name: GITHUB_TOKEN
        secret_value: \${GITHUB_TOKEN}
        networking: { type: limited, allowed_hosts: [api.github.com] }
skills:
  review:
    source: ./review
files:
  handbook:
    source: ./handbook.md
agents:
  reviewer:
    description: Reviews changes
    model: auto
    instructions: Review what you are given.
    environment: workshop
    vault: keys
    skills: [review]
    files:
      - { file: handbook, mount_path: docs/handbook.md }
    mcp_servers:
      - { name: issues, type: url, url: https://issues.example.com/mcp }
    tools:
      builtin: [bash, read]
      permissions: { bash: ask }
      mcp:
        - { type: mcp_toolkit, mcp_server_name: issues, default_config: { enabled: true } }
    metadata: { purpose: review }
  lead:
    model: auto
    instructions: Share the work.
    multiagent:
      type: coordinator
      agents: [reviewer]
`,
  files: {
    'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the whole change first.\n',
    'handbook.md': 'Be kind.\n',
  },
}

await conformance(t, {
  provider: qoder,
  kinds,
  project,
  edits: {
    'descriptions and instructions changed': edited(
      project,
      ['Where reviews run', 'Where all reviews run'],
      ['Review what you are given.', 'Review it twice.'],
      ['display_name: Keys', 'display_name: All keys'],
    ),
    'optional things were removed': edited(
      project,
      ['    description: Reviews changes\n', ''],
      ['    metadata: { purpose: review }\n', ''],
      ['    metadata: { team: platform }\n', ''],
      ['      packages: { pip: [httpx] }\n      setup_script: echo ready\n', ''],
      ['    skills: [review]\n', ''],
      ['    multiagent:\n      type: coordinator\n      agents: [reviewer]\n', ''],
    ),
    'a credential was removed and another changed': edited(
      project,
      [
        `      - name: issues
        type: static_bearer
        mcp_server_url: https://issues.example.com/mcp
        access_token: \${ISSUES_TOKEN}
`,
        '',
      ],
      ['[api.github.com]', '[api.github.com, uploads.github.com]'],
    ),
    'local files changed': withFiles(project, {
      'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the change twice.\n',
      'handbook.md': 'Be kind and brief.\n',
    }),
    'the type of the environment changed': edited(
      project,
      [
        'type: cloud\n      networking: { type: limited, allowed_hosts: [issues.example.com], allow_mcp_servers: true }',
        'type: self_hosted',
      ],
      ['      packages: { pip: [httpx] }\n', ''],
    ),
    'resources were renamed': edited(
      project,
      ['  workshop:\n', '  atelier:\n'],
      ['environment: workshop', 'environment: atelier'],
      ['  reviewer:\n', '  critic:\n'],
      ['agents: [reviewer]', 'agents: [critic]'],
    ),
  },
  variables: { QODER_PAT: 'pt-0123456789', ISSUES_TOKEN: 'issues-t0ken-value', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulated(qoderEmulator),
})
