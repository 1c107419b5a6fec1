// Sync: changes agents.yaml to what the providers have, phase by phase. The file is changed only if the whole result is
// valid.
import type { Diagnostic } from '../diagnostic.js'
import type { State } from '../state/store.js'
import type { Address } from '../value/address.js'
import type { Adjustment } from './adjust.js'
import { type AdjustedDeclarations, adjustDeclarations } from './adjust-declarations.js'
import { type DeclaredObjects, declareObjects } from './declare-objects.js'
import { addressOf } from './discover.js'
import type { ObjectBody, OmittedObject, Proposal } from './propose.js'
import { type ObjectsRead, readObjects } from './read-objects.js'
import type { SourceFolder } from './source-folders.js'
import { loadValid, type SyncOptions, syncRun } from './sync-run.js'
import type { TextFile } from './text-files.js'
import { YamlEdit } from './yaml-edit.js'

export interface SyncResult {
  /** New text of agents.yaml; the same text if nothing changes. */
  readonly text: string
  /** Changed texts of files that declarations name. */
  readonly files: readonly TextFile[]
  /** Folders that declarations name and whose content changes, including new ones. */
  readonly folders: readonly SourceFolder[]
  /** Objects with whose content the folder of a declaration is written. */
  readonly adopted: readonly ObjectBody[]
  readonly added: readonly Proposal[]
  readonly changed: readonly Adjustment[]
  /** Objects that agents.yaml declares and that have no row in state. */
  readonly imports: readonly { readonly address: Address; readonly id: string }[]
  /** Objects that agents.yaml cannot declare. */
  readonly leftOut: readonly OmittedObject[]
  readonly notes: readonly Diagnostic[]
}

/** Writes nothing. */
export async function syncProject(state: State, options: SyncOptions): Promise<SyncResult> {
  const run = syncRun(state, options)
  const edit = new YamlEdit(options.text)
  const read = await readObjects(run)
  const declared = await declareObjects(run, read, edit)
  const adjusted = await adjustDeclarations(run, { read, declared, edit })
  const result = resultOf(edit.text(), { read, declared, adjusted })
  if (result.changed.length > 0) await loadValid(run, result.text, result.files, result.folders)
  return result
}

interface Phases {
  readonly read: ObjectsRead
  readonly declared: DeclaredObjects
  readonly adjusted: AdjustedDeclarations
}

function resultOf(text: string, { read, declared, adjusted }: Phases): SyncResult {
  const { changed, adopted, leftOut } = adjusted
  return {
    text,
    files: changed.flatMap(({ file }) => (file === undefined ? [] : [file])),
    folders: [...declared.newFolders, ...adjusted.folders],
    adopted,
    added: declared.proposals,
    changed,
    imports: importsOf(read, declared),
    leftOut,
    notes: [...read.notes, ...adjusted.notes],
  }
}

function importsOf({ recognised, rows }: ObjectsRead, { known, proposals }: DeclaredObjects): SyncResult['imports'] {
  const unbound = known.filter(({ object }) => object.address === undefined)
  return [
    ...recognised.map(({ address, row: { id } }) => ({ address, id })),
    ...unbound.map(({ object, name }) => ({ address: addressOf(object, name), id: object.object.id })),
    ...proposals.flatMap(({ objects }) => objects).filter(({ address }) => !rows.has(address)),
  ]
}
