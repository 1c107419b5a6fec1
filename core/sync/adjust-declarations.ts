// Third phase of sync: changes the existing declarations of agents.yaml to what the providers have, in fields and in
// content.
import { type Diagnostic, Problem } from '../diagnostic.js'
import { KnownOutputs } from '../plan/outputs.js'
import { diagnostic } from '../problems/index.js'
import { createHasher } from '../state/hashes.js'
import { type Adjustment, type AdjustRequest, type AdjustResult, adjust } from './adjust.js'
import { type ContentResult, refill } from './contents.js'
import { type DeclaredObjects, writtenIn } from './declare-objects.js'
import { differences, secretsReported } from './differences.js'
import { addressOf } from './discover.js'
import { isDeclared, type LeftOut, type ObjectBody } from './propose.js'
import type { ObjectsRead } from './read-objects.js'
import type { SourceFolder } from './source-folders.js'
import type { SyncRun } from './sync-run.js'
import type { YamlEdit } from './yaml-edit.js'

export interface AdjustedDeclarations {
  readonly changed: readonly Adjustment[]
  /** Existing folders whose content changes. */
  readonly folders: readonly SourceFolder[]
  readonly adopted: readonly ObjectBody[]
  /** Objects that cannot be declared. */
  readonly leftOut: readonly LeftOut[]
  readonly notes: readonly Diagnostic[]
}

/** Adds the changed fields to the edit. */
export async function adjustDeclarations(
  run: SyncRun,
  { read, declared, edit }: AdjustPhase,
): Promise<AdjustedDeclarations> {
  const request = adjustRequest(run, { read, declared, edit })
  refuseKnownSecrets(request, declared.fresh)
  const { adjusted, refilled } = await followProviders(run, request, declared.known)
  const changed = [...adjusted, ...refilled].flatMap(({ adjustments }) => adjustments)
  setFields(run, changed, edit)
  return {
    changed,
    folders: refilled.flatMap(({ folders }) => folders),
    adopted: refilled.flatMap(({ adopted }) => adopted),
    leftOut: await undeclared(request, declared.leftOut),
    notes: [...adjusted, ...refilled].flatMap(({ notes }) => notes),
  }
}

export interface AdjustPhase {
  readonly read: ObjectsRead
  readonly declared: DeclaredObjects
  readonly edit: YamlEdit
}

function adjustRequest(run: SyncRun, { read: { rows }, declared, edit }: AdjustPhase): AdjustRequest {
  const { state, options } = run
  const { project, registry } = options
  const values = new KnownOutputs(project.variables, rows)
  for (const { object, name } of declared.bodies)
    values.set(addressOf(object, name), object.handler.outputs(object.object.remote))
  const hasher = createHasher({ salt: state.salt, derive: options.derive })
  const written = writtenIn(edit, run)
  return { project: declared.project, registry, projectName: state.project, rows, values, hasher, written }
}

interface FollowedChange {
  readonly adjusted: readonly AdjustResult[]
  readonly refilled: readonly ContentResult[]
}

async function followProviders(
  { options, providers }: SyncRun,
  request: AdjustRequest,
  known: readonly ObjectBody[],
): Promise<FollowedChange> {
  const { project, ports } = options
  const adjusted: AdjustResult[] = []
  const refilled: ContentResult[] = []
  for (const group of byDeclaration(known)) {
    adjusted.push(await adjust(request, group))
    refilled.push(await refill({ project, disk: ports.disk, providers }, group))
  }
  return { adjusted, refilled }
}

/** Writes changed fields into the edit. Texts and folders are files of their own, which agents.yaml only names. */
function setFields({ sectionOf }: SyncRun, changed: readonly Adjustment[], edit: YamlEdit): void {
  for (const { kind, name, path, value, file, folder } of changed)
    if (file === undefined && folder === undefined) edit.set(sectionOf(kind), name, path, value)
}

async function undeclared(request: AdjustRequest, leftOut: readonly LeftOut[]): Promise<readonly LeftOut[]> {
  const found: LeftOut[] = []
  for (const one of leftOut) if (!one.object.isExternal && !(await matchesDeclaration(request, one))) found.push(one)
  return found
}

/** True if the declaration in the file does not differ from the object. */
async function matchesDeclaration(request: AdjustRequest, { object, name }: LeftOut): Promise<boolean> {
  const declaration = isDeclared(request.project, object, name) && request.project.find(object.kind, name)
  if (!declaration) return false
  return (await differences(request, object, declaration))?.length === 0
}

/** Refuses to write secrets of removed declarations, because only state knows where their variables were. */
function refuseKnownSecrets(request: AdjustRequest, fresh: readonly ObjectBody[]): void {
  const found = fresh.flatMap(({ object, name }) => {
    const declaration = request.project.find(object.kind, name)
    const secrets = declaration ? secretsReported(request, object, undefined, declaration) : []
    if (secrets.length === 0) return []
    const address = addressOf(object, name)
    const detail = `${address} is not declared, and state knows a secret in its ${secrets.join(', ')}.`
    return [diagnostic('sync.secret-known', { address, detail })]
  })
  if (found.length > 0) throw new Problem(found)
}

function byDeclaration(known: readonly ObjectBody[]): Iterable<readonly ObjectBody[]> {
  const groups = new Map<string, ObjectBody[]>()
  for (const one of known) {
    const key = `${one.object.kind} ${one.name}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return groups.values()
}
