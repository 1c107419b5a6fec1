// Derives the new text of agents.yaml for an `import` of an object that it does not declare.

import type { ApplyOptions } from '../apply/options.js'
import type { Problem } from '../diagnostic.js'
import { buildResources } from '../graph/resources.js'
import { Connections } from '../plan/connections.js'
import { refuseOtherAccounts } from '../plan/guard.js'
import type { Declaration } from '../plugin/declaration.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { StateWriter } from '../state/store.js'
import { formatAddress, parseAddress } from '../value/address.js'
import { hint } from '../value/suggestions.js'
import type { JsonObject } from '../value/tree.js'
import type { Binding } from './bound.js'
import { declarationFor } from './declaration-for.js'
import { defaultTargets } from './default-targets.js'
import { findForImport } from './find-for-import.js'
import { type FolderContent, type SourceFolder, SourceFolders } from './source-folders.js'
import { YamlEdit } from './yaml-edit.js'

/**
 * Returns the address as state writes it: with the canonical provider name, or the only provider if none is written.
 */
export function importAddress({ project, registry }: ApplyOptions, written: string): string {
  const { provider: first } = parseAddress(written)
  const named = registry.canonicalName(first) ?? first
  const isWhole = project.providers.has(named)
  const targets = isWhole ? [named] : defaultTargets(project)
  const [provider] = targets
  if (provider === undefined || targets.length > 1) throw missingProviderProblem(written, [...project.providers.keys()])
  const { kind, name } = parseAddress(isWhole ? written : `${provider}.${written}`)
  if (!registry.kinds.has(kind)) throw unknownKind(written, kind, [...registry.kinds.keys()])
  if (name === '') throw missingProviderProblem(written, [...project.providers.keys()])
  return formatAddress({ provider, kind, name })
}

export interface DeclareResult {
  /** New text of agents.yaml; unchanged if it declares the object already. */
  readonly text: string
  /** Declarations that were added. */
  readonly body: JsonObject | undefined
  /** New folders for the content of the declaration. */
  readonly folders: readonly SourceFolder[]
}

/** Verifies the account and the object, and returns the texts to write. Changes nothing. */
export async function declareForImport(
  options: ApplyOptions,
  { state, text }: { readonly state: Pick<StateWriter, 'project' | 'providers' | 'rows'>; readonly text: string },
  binding: Binding,
): Promise<DeclareResult> {
  const { project, registry } = options
  const { rows } = state
  const { provider, kind, name } = parseAddress(binding.address)
  const recorded = { fingerprints: Object.fromEntries(state.providers), rows }
  refuseOtherAccounts([provider], recorded, new Connections(options))
  const found = await findForImport(options, state, binding)
  const declared = project.find(kind, name)
  const isDeclared = declared?.providers.names.includes(provider) || followsFromAnother(options, rows, binding.address)
  if (isDeclared) return { text, body: undefined, folders: [] }
  if (declared) throw nameTaken(binding.address, declared.providers.names)
  const targets = defaultTargets(project)
  const isPlain = targets.length === 1 && targets[0] === provider
  const section = registry.kinds.get(kind)?.section ?? kind
  const sourceFolders = await SourceFolders.open(options.ports.disk, project, found.content ? [section] : [])
  const folders = new Set<SourceFolder>()
  const newFolder = (content: FolderContent): string => {
    const folder = sourceFolders.folderFor(section, name, content)
    folders.add(folder)
    return folder.written
  }
  const edit = new YamlEdit(text)
  const body = {
    ...(isPlain ? {} : { provider }),
    ...declarationFor({ rows, file: edit.wholeFile(), variables: project.variables, newFolder }, binding, found),
  }
  edit.add(section, name, body)
  return { text: edit.text(), body, folders: [...folders] }
}

/** True for an upload without a declaration of its own, which another declaration refers to by its path. */
function followsFromAnother(
  { project, registry }: ApplyOptions,
  rows: ReadonlyMap<string, Row>,
  address: string,
): boolean {
  const targets = ({ providers }: Declaration) => providers.names
  return buildResources({ project, registry, projectName: '', rows, targets }).all.has(address)
}

function missingProviderProblem(written: string, providers: readonly string[]): Problem {
  return problem('import.bad-address', {
    detail: `"${written}" is not PROVIDER.KIND.NAME with a provider that agents.yaml declares (${providers.join(', ')}).`,
    fix: `Write it like ${providers[0] ?? 'provider'}.kind.name.`,
  })
}

function unknownKind(written: string, kind: string, kinds: readonly string[]): Problem {
  return problem('import.unknown-kind', { detail: `"${written}" names the kind "${kind}".`, fix: hint(kind, kinds) })
}

function nameTaken(address: string, providers: readonly string[]): Problem {
  return problem('import.name-taken', {
    address,
    detail: `agents.yaml declares this name for ${providers.join(', ')}, so it cannot declare ${address} too.`,
  })
}
