// Everything that Bailian has, in one project, and changes of it.
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { edited, emulatedWith, withFiles } from '../../support/emulated.js'

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
  outside:
    environment_id: env_outside
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
memory_stores:
  findings:
    description: What reviews found
    entries:
      - { key: style.md, content: Prefer short functions. }
      - { key: notes/tests.md, content: Test what can break. }
  policies:
    description: How we review
    entries_mode: sync
    entries:
      - { key: tone.md, content: Be kind. }
      - { key: limits.md, content: One day for each review. }
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
deployments:
  nightly:
    agent: reviewer
    description: Looks at what was merged
    vaults: [keys]
    environment_variables: { SCOPE: main, TOKEN: "\${GITHUB_TOKEN}" }
    resources:
      - { type: file, source: ./topics.csv, mount_path: in/topics.csv }
    initial_events:
      - { type: user.message, content: Review what was merged today. }
    schedule: { expression: 0 2 * * 1-5, timezone: Europe/Berlin }
`,
  files: {
    'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the whole change first.\n',
    'handbook.md': 'Be kind.\n',
    'topics.csv': 'topic\ntests\n',
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
      ['What reviews found', 'What all reviews found'],
      ['Review what was merged today.', 'Review what was merged this week.'],
    ),
    'optional things were removed': edited(
      project,
      ['    description: Reviews changes\n', ''],
      ['    metadata: { purpose: review }\n', ''],
      ['    metadata: { team: platform }\n', ''],
      ['    skills: [review]\n', ''],
      ['    description: Looks at what was merged\n', ''],
      ['    vaults: [keys]\n', ''],
      ['    multiagent:\n      type: coordinator\n      agents: [reviewer]\n', ''],
    ),
    'a credential was removed and another changed': edited(
      project,
      [registryToken, ''],
      ['[api.github.com]', '[api.github.com, uploads.github.com]'],
    ),
    'entries of memory stores changed': edited(
      project,
      ['Be kind.', 'Be kind and brief.'],
      ['      - { key: limits.md, content: One day for each review. }\n', ''],
      ['      - { key: notes/tests.md, content: Test what can break. }\n', ''],
    ),
    'local files changed': withFiles(project, {
      'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the change twice.\n',
      'handbook.md': 'Be kind and brief.\n',
      'topics.csv': 'topic\ntests\nnames\n',
    }),
    'resources were renamed': edited(
      project,
      ['  workshop:\n', '  atelier:\n'],
      ['environment: workshop', 'environment: atelier'],
      ['  reviewer:\n', '  critic:\n'],
      ['agents: [reviewer]', 'agents: [critic]'],
      ['agent: reviewer', 'agent: critic'],
      ['  findings:\n', '  discoveries:\n'],
      ['  nightly:\n', '  every-night:\n'],
    ),
  },
  variables: { BAILIAN_KEY: 'sk-0123456789', REGISTRY_TOKEN: 'registry-t0ken', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulatedWith([{ provider: 'bailian', kind: 'environment', id: 'env_outside' }], bailianEmulator),
}
