// `agents validate` on agents.yaml files that tests write, in this process and on a real disk.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentsHere } from '../cli/in-process.js'
import { records, scratchFolder } from '../cli/scratch.js'

type Test = Parameters<typeof scratchFolder>[0]

/** Every provider, by the name the file uses. */
export const providers = ['bailian', 'qoder', 'claude', 'ark'] as const
export type ProviderName = (typeof providers)[number]

/** Folder in which each provider mounts everything. */
export const mountRoots: Readonly<Record<ProviderName, string>> = {
  bailian: '/mnt',
  qoder: '/data',
  claude: '/workspace',
  ark: '/mnt',
}

export interface Validated {
  readonly code: number
  readonly isValid: boolean
  readonly diagnostics: readonly Report[]
}

export interface Report {
  readonly code: string
  readonly severity: string
  readonly detail: string
  readonly fix: string
  readonly place: { readonly file: string; readonly line: number; readonly column: number; readonly sourceLine: string }
}

/** The whole file. `files` are written beside it. */
export async function validate(
  t: Test,
  yaml: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Validated> {
  const folder = scratchFolder(t)
  for (const [name, text] of Object.entries({ ...files, 'agents.yaml': yaml })) writeFileSync(join(folder, name), text)
  const reported = await agentsHere(['validate', '--json'], { folder, env: { KEY: 'a-key-of-yours' } })
  const all = records(reported.stdout)
  const isValid = all.at(-1)?.['isValid'] === true
  // Documented in docs/json.md.
  const diagnostics = all.filter(({ type }) => type === 'diagnostic') as unknown as Report[]
  return { code: reported.code, isValid, diagnostics }
}

/** The head of a file for one provider, and a body below it. */
export function fileFor(provider: ProviderName, body: string): string {
  const workspace = provider === 'bailian' ? ', workspace_id: ws' : ''
  return `version: "1"\nproviders:\n  ${provider}: { api_key: "\${KEY}"${workspace} }\n${body}`
}

/** `count` copies, `#` numbered from 1. */
export function times(count: number, text: string): string {
  return Array.from({ length: count }, (_, index) => text.replaceAll('#', String(index + 1))).join(', ')
}
