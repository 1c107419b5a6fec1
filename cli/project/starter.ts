// Texts that `agents init` writes: a small agents.yaml that can be planned and applied as it is.

import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { homeOf, stateStem } from '../../core/state/home.js'

export interface Starter {
  readonly provider: string
  readonly title: string
  /** Further names that `--provider` accepts. */
  readonly aliases: readonly string[]
  /** Variables by the field of `providers.<name>` that refers to them. */
  readonly variables: Readonly<Record<string, string>>
  readonly model: string
}

export const starters: readonly Starter[] = [
  {
    provider: 'bailian',
    title: 'Bailian, Alibaba Cloud Model Studio',
    aliases: ['p-a'],
    variables: { api_key: 'DASHSCOPE_API_KEY', workspace_id: 'BAILIAN_WORKSPACE_ID' },
    model: 'qwen3.7-plus',
  },
  { provider: 'qoder', title: 'Qoder', aliases: ['p-b'], variables: { api_key: 'QODER_PAT' }, model: 'auto' },
  {
    provider: 'claude',
    title: 'Claude, Anthropic',
    aliases: ['p-c'],
    variables: { api_key: 'ANTHROPIC_API_KEY' },
    model: 'claude-sonnet-4-5',
  },
  {
    provider: 'ark',
    title: 'Ark, Volcengine',
    aliases: ['p-d'],
    variables: { api_key: 'ARK_API_KEY' },
    model: 'doubao-seed-2-1-pro-260628',
  },
]

/** Words that some version of YAML reads as a boolean or as null. */
const isYamlWord = /^(true|false|null|yes|no|on|off|y|n)$/i

export const schemaFile = 'agents.schema.json'

/** Names that `init` writes. */
export interface StarterNames {
  /** Value of `project`. */
  readonly project: string
  readonly environment: string
  readonly agent: string
}

/** Maximum number of characters that the name of the project gives to other names. */
const prefixLengthMax = 40

/**
 * Returns the names of a new project: that of its folder, and names that begin with it, because names of objects are
 * unique in an account of some providers, and other projects may be in it.
 */
export function starterNames(projectFile: string): StarterNames {
  const { folder, projectName } = homeOf({ file: projectFile })
  const letters = projectName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, prefixLengthMax)
    .replace(/-+$/, '')
  // A name without Latin letters tells projects apart by its digest.
  const prefix = letters === '' ? `p${createHash('sha256').update(projectName).digest('hex').slice(0, 6)}` : letters
  return { project: basename(folder).trim() || 'project', environment: `${prefix}-base`, agent: `${prefix}-helper` }
}

export function starterYaml({ provider, variables, model }: Starter, names: StarterNames): string {
  const fields = Object.entries(variables).map(([field, variable]) => `    ${field}: \${${variable}}`)
  return `# yaml-language-server: $schema=./${schemaFile}
version: "1"
project: ${asYaml(names.project)}

providers:
  ${provider}:
${fields.join('\n')}

defaults:
  provider: ${provider}

environments:
  ${asYaml(names.environment)}:
    description: Where the agent works
    config:
      type: cloud
      networking:
        type: unrestricted

agents:
  ${asYaml(names.agent)}:
    description: Answers questions about a code base
    model: ${model}
    instructions: |
      You help engineers understand a code base.
      Read before you answer, and name the files you rely on.
    environment: ${asYaml(names.environment)}
    tools:
      builtin: [bash, read, glob, grep]
      default_permission: allow
`
}

/** Quotes a word that YAML would read as something else. */
function asYaml(word: string): string {
  return /^[A-Za-z][\w-]*$/.test(word) && !isYamlWord.test(word) ? word : JSON.stringify(word)
}

/** Writes every line as a comment, because a variable set to an empty value counts as set. */
export function starterEnv({ variables, title }: Starter): string {
  const lines = Object.values(variables).map((variable) => `# ${variable}=`)
  return `# Secrets of agents.yaml; keep this file out of version control.\n# ${title}: remove the # and put your own value behind the =\n${lines.join('\n')}\n`
}

/**
 * Returns lines of .gitignore: files of a project that do not belong in a repository. `fileName` is the name of the
 * project file.
 */
export function ignoredNames(fileName: string): readonly string[] {
  return ['.env', `${stateStem(fileName)}.state*`]
}

/** Returns the text of .gitignore with the missing lines added, or undefined if none is missing. */
export function extendedGitignore(text: string, fileName: string): string | undefined {
  const present = text.split('\n').map((line) => line.trim())
  const missing = ignoredNames(fileName).filter((name) => !present.includes(name))
  if (missing.length === 0) return undefined
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${gap}${missing.join('\n')}\n`
}
