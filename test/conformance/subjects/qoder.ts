// Everything that Qoder has in its managed API, in one project, and changes of it.
import type { Subject, Version } from '../../../core/plugin/conformance/subject.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { edited, emulated, withFiles } from '../../support/emulated.js'

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
`,
  files: {
    'review/SKILL.md': '---\nname: review\ndescription: How we review\n---\nRead the whole change first.\n',
    'handbook.md': 'Be kind.\n',
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
    ),
    'optional things were removed': edited(
      project,
      ['    description: Reviews changes\n', ''],
      ['    metadata: { purpose: review }\n', ''],
      ['    metadata: { team: platform }\n', ''],
      ['    skills: [review]\n', ''],
      ['    multiagent:\n      type: coordinator\n      agents: [reviewer]\n', ''],
    ),
    'a credential was removed': edited(project, [issuesToken, '']),
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
  variables: { QODER_KEY: 'pt-0123456789', ISSUES_TOKEN: 'issues-t0ken-value', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulated(qoderEmulator),
}
