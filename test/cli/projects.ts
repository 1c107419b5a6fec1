// Small projects that tests of the command line work on.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Helper {
  readonly description?: string
  readonly instructions?: string
  readonly name?: string
  /** Further lines below the agent, indented by four. */
  readonly more?: string
}

const secret = 's3cret-value-of-the-token'
export const secretEnv = { REPO_TOKEN: secret } as const

/** One environment, a vault with a secret, and an agent, on qoder. */
export function writeProject(folder: string, helper: Helper = {}): void {
  const {
    name = 'helper',
    description = 'Answers questions',
    instructions = 'Be brief.\nBe kind.\n',
    more = '',
  } = helper
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"
providers:
  qoder:
    api_key: \${QODER_PAT}
environments:
  base:
    config:
      type: cloud
vaults:
  keys:
    credentials:
      - name: repo
        type: environment_variable
        secret_name: REPO_TOKEN
        secret_value: \${REPO_TOKEN}
agents:
  ${name}:
    description: ${description}
    model: auto
    instructions: |
${instructions.replace(/^(?=.)/gm, '      ')}    environment: base
    vault: keys
${more}`,
  )
}

/** Project with many agents, so that an apply takes a while. */
export function writeAgents(folder: string, count: number): void {
  const agents = Array.from(
    { length: count },
    (_, index) => `  agent-${index}:\n    model: auto\n    instructions: Work on part ${index}.\n`,
  )
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"\nproviders:\n  qoder:\n    api_key: \${QODER_PAT}\nagents:\n${agents.join('')}`,
  )
}

/** An environment, and an agent with a skill that the provider scans, on bailian. The folder `guide` is not written. */
export function writeSkilled(folder: string): void {
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"
providers:
  bailian:
    api_key: \${DASHSCOPE_API_KEY}
    workspace_id: \${BAILIAN_WORKSPACE_ID}
environments:
  base:
    config:
      type: cloud
skills:
  guide:
    source: ./guide
agents:
  helper:
    model: qwen3.7-plus
    instructions: Follow the guide.
    environment: base
    skills: [guide]
`,
  )
}
