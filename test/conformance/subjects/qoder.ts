// Everything that Qoder has in its managed API, in one project, and changes of it.
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { edited, emulatedWith, withFiles } from '../../support/emulated.js'

const issuesToken = `      - name: issues
        type: static_bearer
        mcp_server_url: https://issues.example.com/mcp
        access_token: \${ISSUES_TOKEN}
`

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
  files: {
    'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the whole change first.\n',
    'handbook.md': 'Be kind.\n',
    'topics.csv': 'topic\ntests\n',
    'rubric.md': 'The report names every change.\n',
  },
}

export const qoderSubject: Subject = {
  provider: qoder,
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
    'a credential was removed': edited(project, [issuesToken, '']),
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
      ['memory_stores: [findings]', 'memory_stores: [discoveries]'],
      ['  nightly:\n', '  every-night:\n'],
    ),
  },
  variables: { QODER_KEY: 'pt-0123456789', ISSUES_TOKEN: 'issues-t0ken-value', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulatedWith([{ provider: 'qoder', kind: 'environment', id: 'env_outside' }], qoderEmulator),
}
