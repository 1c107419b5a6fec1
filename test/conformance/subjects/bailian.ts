// Project with every feature of Bailian, and edits of it.
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { emulatedWith } from '../../support/emulated.js'
import { credentialsChanged, files, storesAndSources, usualEdits } from './review-project.js'

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
${storesAndSources}agents:
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
  files,
}

export const bailianSubject: Subject = {
  provider: bailian,
  kinds,
  project,
  edits: {
    ...usualEdits(project),
    'a credential was removed and another changed': credentialsChanged(project, registryToken),
  },
  variables: { BAILIAN_KEY: 'sk-0123456789', REGISTRY_TOKEN: 'registry-t0ken', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulatedWith([{ provider: 'bailian', kind: 'environment', id: 'env_outside' }], bailianEmulator),
}
