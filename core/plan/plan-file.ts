// Saved plans: the reviewed changes as a plan shows them, and as hashes. An apply plans again and refuses a plan whose
// hashes differ, with the names of the differences.

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { planFormat } from '../declaration/kept-out.js'
import type { Problem } from '../diagnostic.js'
import { type Disk, hasCode } from '../ports/disk.js'
import type { Ports } from '../ports/ports.js'
import { problem } from '../problems/index.js'
import type { Address } from '../value/address.js'
import { isObject, type Json, leafKeys, mapTexts } from '../value/tree.js'
import type { Change, Plan, ShownValue } from './plan.js'

const formatVersion = 2
/** Maximum size in bytes, enough for some hundred thousand leaves. */
const planBytesMax = 256 * 1024 * 1024

const Cause = Type.Enum(['intent', 'drift', 'both', 'dependency', 'gone', 'recorded', 'recreated'])

/** A value as a plan shows it, which is never that of a secret. */
const Shown = Type.Union([
  Type.Object({ type: Type.Literal('value'), value: Type.Unsafe<Json>({}) }),
  Type.Object({ type: Type.Literal('unknown'), value: Type.Optional(Type.Unsafe<Json>({})) }),
  Type.Object({ type: Type.Enum(['sensitive', 'unverified', 'absent']) }),
])

const SavedLeaf = Type.Object(
  {
    /** Hashes before and after the change. */
    hashes: Type.Tuple([Type.String(), Type.String()]),
    label: Type.String(),
    part: Type.Optional(Type.String()),
    before: Shown,
    after: Shown,
    cause: Cause,
    forcesReplacement: Type.Boolean(),
  },
  { additionalProperties: false },
)

const SavedChange = Type.Object(
  {
    address: Type.String(),
    action: Type.Enum(['create', 'update', 'replace', 'remove', 'forget', 'verify', 'resume', 'waiting']),
    cause: Type.Optional(Cause),
    irreversible: Type.Optional(Type.String()),
    id: Type.Optional(Type.String()),
    deposed: Type.Optional(Type.Array(Type.String())),
    /** Leaves by path. */
    leaves: Type.Optional(Type.Record(Type.String(), SavedLeaf)),
    /** Paths of leaves that cannot be read back and are sent again. */
    unverified: Type.Optional(Type.Array(Type.String())),
    /** Texts of the notes of the change. */
    notes: Type.Optional(Type.Array(Type.String())),
  },
  { additionalProperties: false },
)

const SavedPlan = Type.Object(
  {
    format: Type.Literal(planFormat),
    version: Type.Literal(formatVersion),
    mode: Type.Union([Type.Literal('apply'), Type.Literal('destroy'), Type.Literal('refresh')]),
    project: Type.String(),
    lineage: Type.String(),
    serial: Type.Integer(),
    salt: Type.String(),
    scope: Type.Object({
      providers: Type.Array(Type.String()),
      targets: Type.Array(Type.String()),
      excludes: Type.Array(Type.String()),
    }),
    recreate: Type.Array(Type.String()),
    hosts: Type.Record(Type.String(), Type.String()),
    digests: Type.Record(Type.String(), Type.String()),
    changes: Type.Array(SavedChange),
    /** Addresses by id, of the objects that the changes refer to. */
    names: Type.Record(Type.String(), Type.String()),
    /** Number of resources that are as declared. */
    unchanged: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
)
export type SavedPlan = Static<typeof SavedPlan>
type SavedChange = Static<typeof SavedChange>

export interface SavedPlanOptions {
  readonly recreate?: readonly string[] | undefined
  /** Returns a text without the values of variables. Default: the text, for a plan that is not written. */
  mask?(text: string): string
}

export function savedPlan(plan: Plan, { recreate = [], mask = (text) => text }: SavedPlanOptions = {}): SavedPlan {
  const { mode, project, lineage, serial, salt, scope } = plan
  return {
    format: planFormat,
    version: formatVersion,
    mode,
    project,
    lineage,
    serial,
    salt,
    scope: { providers: [...scope.providers], targets: [...scope.targets], excludes: [...scope.excludes] },
    recreate: [...recreate],
    hosts: Object.fromEntries([...plan.identities].map(([name, { host }]) => [name, host])),
    digests: Object.fromEntries(plan.digests),
    changes: plan.changes.flatMap((change) => savedChange(change, mask)),
    names: namesIn(plan),
    unchanged: plan.changes.filter(({ action }) => action === 'none').length,
  }
}

/** Writes the plan completely or not at all. Replaces only an older plan, never another file. */
export async function writeSavedPlan(
  { disk, random }: Pick<Ports, 'disk' | 'random'>,
  path: string,
  saved: SavedPlan,
): Promise<void> {
  await refuseToOverwrite(disk, path)
  // A name that nobody can foresee, so that no file or link of somebody else has it.
  const unfinished = `${path}.${random.uuid()}.unfinished`
  try {
    // Mode 0600: whoever may read it sees what the terminal of its author showed.
    await disk.write(unfinished, new TextEncoder().encode(`${JSON.stringify(saved, null, 2)}\n`), { mode: 0o600 })
    await disk.rename(unfinished, path)
  } catch (error) {
    await disk.remove(unfinished)
    throw error
  }
}

/** Throws if the path has something else than a saved plan of any version. It is checked before planning, too. */
export async function refuseToOverwrite(disk: Disk, path: string): Promise<void> {
  const status = await disk.status(path)
  if (status === null || (status.kind === 'file' && status.sizeBytes === 0)) return
  if (status.kind === 'file' && status.sizeBytes <= planBytesMax) {
    const value = parseJson(new TextDecoder().decode(await disk.read(path)))
    if (isObject(value) && value['format'] === planFormat) return
  }
  throw problem('plan-file.other-file', { detail: `${path} exists and is not a saved plan. Nothing was written.` })
}

export async function readSavedPlan(disk: Disk, path: string): Promise<SavedPlan> {
  let text: string
  try {
    const status = await disk.status(path)
    // A device file may have no end.
    if (status && (status.kind !== 'file' || status.sizeBytes > planBytesMax)) throw unreadable(path)
    text = new TextDecoder().decode(await disk.read(path))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      throw problem('plan-file.missing', { detail: `${path} does not exist.`, cause: error })
    }
    throw error
  }
  const value = parseJson(text)
  const schema = Compile(SavedPlan)
  if (schema.Check(value)) return value
  throw unreadable(path)
}

function unreadable(path: string): Problem {
  return problem('plan-file.unreadable', {
    detail: `${path} is damaged, was written by another version of agents, or is not a plan.`,
  })
}

/** Throws when planning again did not give what was saved. */
export function refuseOtherPlan(saved: SavedPlan, plan: Plan): void {
  const now = savedPlan(plan)
  if (saved.project !== now.project) throw differs('it is of the project', saved.project, now.project)
  if (saved.lineage !== now.lineage) throw differs('it was made from the state', saved.lineage, now.lineage)
  if (saved.serial !== now.serial) throw differs('it was made from state serial', saved.serial, now.serial)
  for (const [name, host] of Object.entries(saved.hosts)) {
    const reached = now.hosts[name]
    if (reached !== undefined && reached !== host && !isEmulator(saved, name, plan))
      throw differs(`${name} was at`, host, reached)
  }
  for (const name of new Set([...Object.keys(saved.digests), ...Object.keys(now.digests)])) {
    if (saved.digests[name] !== now.digests[name]) throw planChanged(`the local source ${name} changed`)
  }
  const before = new Map(saved.changes.map((change) => [change.address, change]))
  const after = new Map(now.changes.map((change) => [change.address, change]))
  for (const address of new Set([...before.keys(), ...after.keys()])) {
    const difference = differenceOf(before.get(address), after.get(address))
    if (difference !== undefined) throw planChanged(`${address}: ${difference}`)
  }
}

/** True if both plans are for an emulator. Its port may have changed since, but it has the same objects. */
function isEmulator(_saved: SavedPlan, name: string, plan: Plan): boolean {
  return plan.identities.get(name)?.account === 'emulator'
}

function savedChange(change: Change, mask: (text: string) => string): readonly SavedChange[] {
  const { address, action, cause, irreversible, id, deposed, leaves, unverified, notes } = change
  if (action === 'none') return []
  const shown = (value: ShownValue): ShownValue =>
    'value' in value ? { type: value.type, value: mapTexts(value.value, mask) } : value
  const entries = leaves.map(
    ({ path, part, label, before, after, cause, forcesReplacement, beforeHash, afterHash }) => [
      path,
      {
        hashes: [beforeHash, afterHash] as [string, string],
        label: mask(label),
        ...(part === undefined ? {} : { part: mask(part) }),
        before: shown(before),
        after: shown(after),
        cause,
        forcesReplacement,
      },
    ],
  )
  const saved: SavedChange = {
    address,
    action,
    ...(cause === undefined ? {} : { cause }),
    ...(irreversible === undefined ? {} : { irreversible }),
    ...(id === undefined ? {} : { id }),
    ...(deposed.length > 0 ? { deposed: [...deposed] } : {}),
    ...(leaves.length > 0 ? { leaves: Object.fromEntries(entries) } : {}),
    ...(unverified.length > 0 ? { unverified: [...unverified] } : {}),
    ...(notes.length > 0 ? { notes: notes.map(({ summary, detail }) => mask(detail ?? summary)) } : {}),
  }
  return [saved]
}

function namesIn({ changes, names }: Plan): Record<string, Address> {
  const found: Record<string, Address> = {}
  const note = (text: string): string => {
    const address = names.get(text)
    if (address !== undefined) found[text] = address
    return text
  }
  for (const { path, before, after } of changes.flatMap(({ leaves }) => leaves)) {
    leafKeys(path).forEach(note)
    for (const shown of [before, after])
      if (shown.type === 'value' || shown.type === 'unknown') mapTexts(shown.value ?? null, note)
  }
  return found
}

function differenceOf(before: SavedChange | undefined, after: SavedChange | undefined): string | undefined {
  if (!before) return `would ${after?.action} now, and was not in the plan`
  if (!after) return `the plan would ${before.action} it, and there is nothing to do any more`
  if (before.action !== after.action) return `the plan would ${before.action} it, and now it would be ${after.action}`
  if (before.id !== after.id) return 'it is another object now'
  if (before.deposed?.join() !== after.deposed?.join()) return 'other replaced objects are to be removed now'
  for (const path of new Set([...Object.keys(before.leaves ?? {}), ...Object.keys(after.leaves ?? {})])) {
    if (before.leaves?.[path]?.hashes.join() !== after.leaves?.[path]?.hashes.join()) return `${path} changed`
  }
  return undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // The caller reports it as unreadable.
  }
}

function differs(what: string, saved: string | number, now: string | number): Problem {
  return planChanged(`${what} ${saved}, and now it is ${now}`)
}

function planChanged(difference: string): Problem {
  return problem('plan-file.stale', {
    detail: `A new plan differs from the reviewed one: ${difference}. Nothing was changed.`,
  })
}
