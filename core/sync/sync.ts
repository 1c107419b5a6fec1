// Sync: from what the providers hold to agents.yaml. All or nothing; the file is touched only when the result is valid.

import { type Diagnostic, hasErrors, Problem } from '../diagnostic.js'
import { Connections } from '../plan/connections.js'
import type { EngineOptions } from '../plan/options.js'
import { KnownOutputs } from '../plan/outputs.js'
import type { Project } from '../plugin/declaration.js'
import { diagnostic } from '../problems/index.js'
import { createHasher } from '../state/hashes.js'
import type { State } from '../state/store.js'
import type { Address } from '../value/address.js'
import { isObject, type JsonObject } from '../value/tree.js'
import { type Adjusted, type Adjustment, type AdjustRequest, adjust } from './adjust.js'
import { type Refilled, refill } from './contents.js'
import { differences, secretsTold } from './differences.js'
import { addressOf, discover } from './discover.js'
import { identify } from './identified.js'
import { nameAll } from './names.js'
import { refuseLostMembers } from './owned-members.js'
import { recognise } from './recognised.js'
import { isDeclared, type LeftOut, type Proposal, type Said, type SayRequest, say } from './say.js'
import { type SourceFolder, SourceFolders } from './source-folders.js'
import type { TextFile } from './text-files.js'
import { unlistedNames } from './unlisted.js'
import { uploadsOf } from './uploads.js'
import { YamlEdit } from './yaml-edit.js'

export interface SyncOptions extends EngineOptions {
  /** Canonical names; empty for every declared provider. */
  readonly providers: readonly string[]
  /** The text of agents.yaml. */
  readonly text: string
  /** Loads a candidate text as if it and the texts it names stood on the disk; rejects with `Problem`s that make it invalid. */
  load(text: string, files: readonly TextFile[], folders: readonly SourceFolder[]): Promise<Project>
}

export interface SyncResult {
  /** What agents.yaml should say; the same text when it says so already. */
  readonly text: string
  /** Texts that declarations name and that change. */
  readonly files: readonly TextFile[]
  /** Folders that declarations name and whose content changes, new ones included. */
  readonly folders: readonly SourceFolder[]
  /** Whose content a folder of a declaration holds only when it is written. */
  readonly adopted: readonly Said[]
  readonly added: readonly Proposal[]
  readonly changed: readonly Adjustment[]
  /** Objects that the file declares and state does not hold. */
  readonly imports: readonly { readonly address: Address; readonly id: string }[]
  /** Objects that could not be said. */
  readonly leftOut: readonly LeftOut[]
  readonly notes: readonly Diagnostic[]
}

/** Writes nothing. */
export async function syncProject(state: State, options: SyncOptions): Promise<SyncResult> {
  const { project, registry } = options
  const providers = options.providers.length > 0 ? options.providers : [...project.providers.keys()]
  const signal = options.signal ?? new AbortController().signal
  const connections = new Connections(options)
  const mask = (text: string) => project.variables.mask(text)
  const base = { connections, projectName: state.project, signal, mask }

  const discovery = await discover({ ...base, project, rows: state.rows, providers, registry })
  const objects = await identify({ ...options, projectName: state.project, rows: state.rows }, discovery.objects)
  const names = nameAll(objects)
  const recognised = await recognise({ ...options, ...base, rows: state.rows, providers, names })
  const rows = new Map([...state.rows, ...recognised.map(({ address, row }) => [address, row] as const)])
  const edit = new YamlEdit(options.text)
  const sectionOf = (kind: string) => registry.kinds.get(kind)?.section ?? `${kind}s`
  const written = (kind: string, name: string): JsonObject | undefined => {
    const body = edit.bodyOf(sectionOf(kind), name)
    return isObject(body) ? body : undefined
  }
  const contentSections = objects.flatMap(({ kind, content }) => (content ? [sectionOf(kind)] : []))
  const sourceFolders = await SourceFolders.open(options.ports.disk, project, contentSections)
  const newFolder: SayRequest['newFolder'] = ({ kind }, name, content) =>
    sourceFolders.folderFor(sectionOf(kind), name, content).written
  const sayings = say({
    newFolder,
    names,
    project,
    unlisted: unlistedNames(rows, options),
    written,
    file: edit.whole(),
    uploads: (object, name) => uploadsOf({ project, registry, projectName: state.project, rows }, object, name),
  })
  const { said, proposals, leftOut } = sayings
  await refuseLostMembers({ ...base, rows, index: sayings.index })
  if (sayings.defaultProvider !== undefined) edit.addDefault('provider', sayings.defaultProvider, 'providers')
  for (const { kind, name, body, provider } of proposals) {
    edit.add(sectionOf(kind), name, provider === undefined ? body : { provider, ...body })
  }

  const values = new KnownOutputs(project.variables, rows)
  for (const { object, name } of said) values.set(addressOf(object, name), object.handler.outputs(object.object.remote))
  const hasher = createHasher({ salt: state.salt, derive: options.derive })
  const known = said.filter(({ object, name }) => !object.isExternal && isDeclared(project, object, name))
  const fresh = said.filter(({ object, name }) => !isDeclared(project, object, name))
  const added = fresh.flatMap(({ object: { kind, content }, name }) =>
    content?.type === 'content' ? [sourceFolders.folderFor(sectionOf(kind), name, content)] : [],
  )
  const newFolders = [...new Set(added)]
  // What is there already may refer to what is added.
  const extended = proposals.length > 0 ? await valid(options, edit.text(), [], newFolders) : project
  const request = { project: extended, registry, projectName: state.project, rows, values, hasher, written }
  refuseKnownSecrets(request, fresh)
  const adjusted: Adjusted[] = []
  const refilled: Refilled[] = []
  for (const group of byDeclaration(known)) {
    adjusted.push(await adjust(request, group))
    refilled.push(await refill({ project, disk: options.ports.disk, providers }, group))
  }
  const changed = [...adjusted, ...refilled].flatMap(({ adjustments }) => adjustments)
  const folders = [...newFolders, ...refilled.flatMap((one) => one.folders)]
  const files = changed.flatMap(({ file }) => (file === undefined ? [] : [file]))
  for (const { kind, name, path, value, file, folder } of changed)
    if (file === undefined && folder === undefined) edit.set(sectionOf(kind), name, path, value)
  const lost: LeftOut[] = []
  for (const one of leftOut) if (!one.object.isExternal && !(await isSaidAlready(request, one))) lost.push(one)
  const text = edit.text()
  if (changed.length > 0) await valid(options, text, files, folders)

  const unbound = known.filter(({ object }) => object.address === undefined)
  const imports = [
    ...recognised.map(({ address, row: { id } }) => ({ address, id })),
    ...unbound.map(({ object, name }) => ({ address: addressOf(object, name), id: object.object.id })),
    ...proposals.flatMap(({ objects }) => objects).filter(({ address }) => !rows.has(address)),
  ]
  const notes = [
    ...discovery.notes,
    ...[...adjusted, ...refilled].flatMap((one) => one.notes),
    ...fresh.flatMap(renamed),
  ]
  const adopted = refilled.flatMap((one) => one.adopted)
  return { text, files, folders, adopted, added: proposals, changed, imports, leftOut: lost, notes }
}

/** Of a declaration that is gone from the file only state knows where its variables stood. */
function refuseKnownSecrets(request: AdjustRequest, fresh: readonly Said[]): void {
  const found = fresh.flatMap(({ object, name }) => {
    const declaration = request.project.find(object.kind, name)
    const told = declaration ? secretsTold(request, object, undefined, declaration) : []
    if (told.length === 0) return []
    const address = addressOf(object, name)
    const detail = `${address} is not declared, and state knows a secret in its ${told.join(', ')}.`
    return [diagnostic('sync.secret-known', { address, detail })]
  })
  if (found.length > 0) throw new Problem(found)
}

/** Where the key is the name, a key that had to differ leaves two names for one thing. */
function renamed({ object, name }: Said): readonly Diagnostic[] {
  const { handler, provider } = object
  const called = handler.isNamedByKey ? handler.name?.(object.object.remote) : undefined
  if (called === undefined || called === name) return []
  const address = addressOf(object, name)
  return [
    diagnostic('sync.renamed', {
      address,
      detail: `${object.object.id} is called "${called}" at ${provider}; that key was taken. The name stays until something else of the object changes.`,
    }),
  ]
}

/** A declaration that was written by hand may say what sync could not. */
async function isSaidAlready(request: AdjustRequest, { object, name }: LeftOut): Promise<boolean> {
  const declaration = isDeclared(request.project, object, name) && request.project.find(object.kind, name)
  if (!declaration) return false
  return (await differences(request, object, declaration))?.length === 0
}

function byDeclaration(known: readonly Said[]): Iterable<readonly Said[]> {
  const groups = new Map<string, Said[]>()
  for (const one of known) {
    const key = `${one.object.kind} ${one.name}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return groups.values()
}

/** A result that would not pass `validate` is not written. */
async function valid(
  { load }: SyncOptions,
  text: string,
  files: readonly TextFile[],
  folders: readonly SourceFolder[],
): Promise<Project> {
  try {
    return await load(text, files, folders)
  } catch (error) {
    if (!(error instanceof Problem) || !hasErrors(error.diagnostics)) throw error
    throw new Problem(
      [
        diagnostic('sync.result-invalid', {
          detail: 'The file that sync would write breaks the rules below. The file was left as it is.',
        }),
        ...error.diagnostics,
      ],
      { cause: error },
    )
  }
}
