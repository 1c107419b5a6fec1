// Second phase of sync: derives the declaration of every object. Declarations that agents.yaml lacks are added to the
// edit of the file.
import type { Project } from '../plugin/declaration.js'
import { isObject, type JsonObject } from '../value/tree.js'
import type { Discovered } from './discover.js'
import { refuseLostMembers } from './owned-members.js'
import { isDeclared, type ObjectBody, type Proposals, propose } from './propose.js'
import type { ObjectsRead } from './read-objects.js'
import { type SourceFolder, SourceFolders } from './source-folders.js'
import { loadValid, type SyncRun } from './sync-run.js'
import { unlistedNames } from './unlisted.js'
import { uploadsOf } from './uploads.js'
import { variableNames } from './written-text.js'
import type { YamlEdit } from './yaml-edit.js'

export interface DeclaredObjects extends Proposals {
  /** Objects that agents.yaml declares already, without references to remote ids. */
  readonly known: readonly ObjectBody[]
  /** Objects that agents.yaml does not declare yet. */
  readonly fresh: readonly ObjectBody[]
  /** Folders for the content of new declarations. */
  readonly newFolders: readonly SourceFolder[]
  /** Project with the new declarations, which existing ones may refer to. */
  readonly project: Project
}

export async function declareObjects(run: SyncRun, read: ObjectsRead, edit: YamlEdit): Promise<DeclaredObjects> {
  const { project } = run.options
  const folders = await openFolders(run, read)
  const proposals = proposeAll(run, read, { edit, folders })
  await refuseLost(run, read, proposals)
  addProposals(run, proposals, edit)
  const fresh = proposals.bodies.filter(({ object, name }) => !isDeclared(project, object, name))
  const newFolders = foldersOf(run, fresh, folders)
  return {
    ...proposals,
    known: proposals.bodies.filter(({ object, name }) => !object.isExternal && isDeclared(project, object, name)),
    fresh,
    newFolders,
    project: proposals.proposals.length > 0 ? await loadValid(run, edit.text(), [], newFolders) : project,
  }
}

/** Returns the body of a declaration, as agents.yaml writes it. */
export function writtenIn(edit: YamlEdit, { sectionOf }: SyncRun) {
  return (kind: string, name: string): JsonObject | undefined => {
    const body = edit.bodyOf(sectionOf(kind), name)
    return isObject(body) ? body : undefined
  }
}

function openFolders({ options, sectionOf }: SyncRun, { names }: ObjectsRead): Promise<SourceFolders> {
  const sections = [...names.keys()].flatMap(({ kind, content }) => (content ? [sectionOf(kind)] : []))
  return SourceFolders.open(options.ports.disk, options.project, sections)
}

interface Target {
  readonly edit: YamlEdit
  readonly folders: SourceFolders
}

function proposeAll(run: SyncRun, { names, rows }: ObjectsRead, { edit, folders }: Target): Proposals {
  const { state, options, sectionOf } = run
  const { project, registry } = options
  const request = { project, registry, projectName: state.project, rows }
  return propose({
    names,
    project,
    unlisted: unlistedNames(rows, options),
    written: writtenIn(edit, run),
    used: variableNames(edit.wholeFile()),
    newFolder: ({ kind }, name, content) => folders.folderFor(sectionOf(kind), name, content).written,
    uploads: (object: Discovered, name: string) => uploadsOf(request, object, name),
  })
}

function refuseLost(run: SyncRun, { rows }: ObjectsRead, { index }: Proposals): Promise<void> {
  const { state, connections, signal, mask } = run
  return refuseLostMembers({ connections, projectName: state.project, signal, mask, rows, index })
}

function addProposals({ sectionOf }: SyncRun, { proposals, defaultProvider }: Proposals, edit: YamlEdit): void {
  if (defaultProvider !== undefined) edit.addDefault('provider', defaultProvider, 'providers')
  for (const { kind, name, body, provider } of proposals)
    edit.add(sectionOf(kind), name, provider === undefined ? body : { provider, ...body })
}

function foldersOf(
  { sectionOf }: SyncRun,
  fresh: readonly ObjectBody[],
  folders: SourceFolders,
): readonly SourceFolder[] {
  const added = fresh.flatMap(({ object: { kind, content }, name }) =>
    content?.type === 'content' ? [folders.folderFor(sectionOf(kind), name, content)] : [],
  )
  return [...new Set(added)]
}
