// Project with every feature of Qoder's managed API, and edits of it.
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { edited, emulatedWith } from '../../support/emulated.js'
import { files, issuesToken, rubric, storesAndSources, usualEdits } from './review-project.js'

const project: Version = {
  text: `version: "1"
providers:
  qoder:
    api_key: \${QODER_KEY}
environments:
  outside:
    environment_id: env_outside
  workshop:
    description: Where reviews run
    config:
      type: cloud
      networking: { type: unrestricted }
      packages: { pip: [ruff], npm: [prettier] }
      setup_script: |
        set -eu
        git config --global user.name reviewer
    metadata: { team: platform }
vaults:
  keys:
    display_name: Keys
    credentials:
${issuesToken}      - name: github
        type: environment_variable
        secret_name: GITHUB_TOKEN
        secret_value: \${GITHUB_TOKEN}
${storesAndSources}agents:
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
    environment_variables: { CHANNEL: stable }
    metadata: { purpose: review }
  lead:
    model: auto
    instructions: Share the work.
    multiagent:
      type: coordinator
      agents: [reviewer]
deployments:
  nightly:
    agent: reviewer
    description: Looks at what was merged
    vaults: [keys]
    memory_stores: [findings]
    environment_variables: { SCOPE: main, TOKEN: "\${GITHUB_TOKEN}" }
    resources:
      - { type: file, source: ./topics.csv, mount_path: in/topics.csv }
      - { type: git_repository, url: https://github.com/acme/shop, authorization_token: "\${GITHUB_TOKEN}", checkout: { branch: main } }
    initial_events:
      - { type: user.message, content: Review what was merged today. }
      - { type: user.define_outcome, description: A report, rubric_file: ./rubric.md, max_iterations: 3 }
    schedule: { expression: 0 2 * * 1-5, timezone: Europe/Berlin }
`,
  files: { ...files, ...rubric },
}

export const qoderSubject: Subject = {
  provider: qoder,
  kinds,
  project,
  edits: {
    ...usualEdits(project),
    'a credential was removed': edited(project, [issuesToken, '']),
  },
  variables: { QODER_KEY: 'pt-0123456789', ISSUES_TOKEN: 'issues-t0ken-value', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulatedWith([{ provider: 'qoder', kind: 'environment', id: 'env_outside' }], qoderEmulator),
}
