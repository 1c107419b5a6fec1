// Project with every feature of Claude, and edits of it.
import type { Subject, Version } from '../../../core/conformance/subject.js'
import { claudeEmulator } from '../../../plugins/claude/emulator/index.js'
import { claude } from '../../../plugins/claude/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { edited, emulatedWith } from '../../support/emulated.js'
import { credentialsChanged, files, issuesToken, rubric, storesAndSources, usualEdits } from './review-project.js'

/** Objects of the account that the project names and does not declare. */
export const outsideObjects = [
  { kind: 'environment', id: 'env_outside' },
  { kind: 'agent', id: 'agent_outside' },
] as const

const project: Version = {
  text: `version: "1"
providers:
  claude:
    api_key: \${CLAUDE_KEY}
environments:
  outside:
    environment_id: env_outside
  workshop:
    description: Where reviews run
    config:
      type: cloud
      networking: { type: limited, allowed_hosts: [issues.example.com], allow_mcp_servers: true }
    metadata: { team: platform }
vaults:
  keys:
    display_name: Keys
    credentials:
${issuesToken}      - name: github
        type: environment_variable
        secret_name: GITHUB_TOKEN
        secret_value: \${GITHUB_TOKEN}
        networking: { type: limited, allowed_hosts: [api.github.com] }
${storesAndSources}agents:
  reviewer:
    description: Reviews changes
    model: claude-sonnet-4-5
    model_settings: { effort: high, inference_geo: eu }
    instructions: Review what you are given.
    environment: workshop
    vault: keys
    skills: [review]
    files:
      - { file: handbook, mount_path: docs/handbook.md }
    mcp_servers:
      - { name: issues, type: url, url: https://issues.example.com/mcp }
    tools:
      builtin: [bash, read, web_fetch]
      permissions: { bash: ask }
      limits: { web_fetch: { allowed_domains: [docs.example.com] } }
      custom: [{ name: pay, description: Pays., input_schema: { type: object } }]
      mcp:
        - { type: mcp_toolkit, mcp_server_name: issues, default_config: { enabled: true } }
    metadata: { purpose: review }
  lead:
    model: claude-sonnet-4-5
    instructions: Share the work.
    multiagent:
      type: coordinator
      agents: [reviewer]
  guide:
    model: claude-sonnet-4-5
    instructions: Find the way.
    multiagent:
      advisor: { model: claude-opus-5 }
      subagents: { agents: [{ agent_id: agent_outside }], inline_agents: false }
deployments:
  nightly:
    agent: reviewer
    description: Looks at what was merged
    budget: { amount: 25 }
    vaults: [keys]
    memory_stores: [findings]
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

export const claudeSubject: Subject = {
  provider: claude,
  kinds,
  project,
  edits: {
    ...usualEdits(project),
    'a credential was removed and another changed': credentialsChanged(project, issuesToken),
    'helpers changed': edited(
      project,
      ['      advisor: { model: claude-opus-5 }\n', '      workflows: { enabled: false }\n'],
      ['{ agents: [{ agent_id: agent_outside }], inline_agents: false }', '{ inline_agents: true }'],
    ),
  },
  variables: { CLAUDE_KEY: 'sk-ant-0123456789', ISSUES_TOKEN: 'issues-t0ken-value', GITHUB_TOKEN: 'ghp-s3cret-value' },
  startService: emulatedWith(
    outsideObjects.map((object) => ({ provider: 'claude', ...object })),
    claudeEmulator,
  ),
}
