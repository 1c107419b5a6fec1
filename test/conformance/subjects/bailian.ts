// Everything that Bailian has, in one project, and changes of it.
import type { Subject, Version } from '../../../core/plugin/conformance/subject.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { edited, emulated, withFiles } from '../../support/emulated.js'

const registryToken = `      - name: registry
        type: environment_variable
        secret_name: REGISTRY_TOKEN
        secret_value: \${REGISTRY_TOKEN}
        injection_location: { header: true, body: true }
`

const project: Version = {
  text: `version: "1"
providers:
  bailian:
    api_key: \${BAILIAN_KEY}
    workspace_id: ws-1
environments:
  workshop:
    description: Where reviews run
    config:
      type: cloud
      packages: { pip: [ruff], npm: [prettier] }
    metadata: { team: platform }
vaults:
  keys:
    display_name: Keys
    credentials:
${registryToken}      - name: github
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
    model: qwen3.7-plus
    instructions: Review what you are given.
    environment: workshop
    vault: keys
    skills: [review]
    files:
      - { file: handbook, mount_path: docs/handbook.md }
    mcp_servers:
      - { name: WebSearch, type: official }
    tools:
      builtin: [bash, read]
      permissions: { bash: ask }
      mcp:
        - { type: mcp_toolkit, mcp_server_name: WebSearch, default_config: { enabled: true } }
    metadata: { purpose: review }
  lead:
    model: qwen3.7-plus
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

export const bailianSubject: Subject = {
  provider: bailian,
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
      ['    skills: [review]\n', ''],
      ['    multiagent:\n      type: coordinator\n      agents: [reviewer]\n', ''],
    ),
    'a credential was removed and another changed': edited(
      project,
      [registryToken, ''],
      ['[api.github.com]', '[api.github.com, uploads.github.com]'],
    ),
    'local files changed': withFiles(project, {
      'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the change twice.\n',
      'handbook.md': 'Be kind and brief.\n',
    }),
    'resources were renamed': edited(
      project,
      ['  workshop:\n', '  atelier:\n'],
      ['environment: workshop', 'environment: atelier'],
      ['  reviewer:\n', '  critic:\n'],
      ['agents: [reviewer]', 'agents: [critic]'],
    ),
  },
  variables: { BAILIAN_KEY: 'sk-0123456789', REGISTRY_TOKEN: 'registry-t0ken', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulated(bailianEmulator),
}
