// Compares the leaves of a resource: desired and observed values, now and when the row was last applied.
import { marks } from '../graph/resource.js'
import type { Field, Handler } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import { isSameText } from '../value/lines.js'
import { hasPlaceholder, placeholdersIn, rewrite } from '../value/placeholder.js'
import { type Json, type LeafPath, leafKeys, leafPath, leavesOf, pathText, type Tree } from '../value/tree.js'
import { absentHash, type Base, baseOf, isSensitiveHash, unknownHash } from './base.js'
import { comparable, fieldOf, hashLeaf, type LeafHasher, partKeyOf } from './hasher.js'
import { isOurPart, observedLeaves, type Present, splitParts } from './observation.js'
import type { Cause, PlannedLeaf, ShownValue } from './plan.js'
import { expandOutputs, type ResolvedLeaf, resolveLeaf, type Values } from './values.js'

export interface CompareRequest {
  readonly handler: Handler
  /** Desired tree with placeholders, and the parts under their branch. */
  readonly desired: Tree
  readonly row: Row | undefined
  /** Observed object; absent if the object is to be created. */
  readonly found: Present | undefined
  /** Policy of the parts; `own` if the handler has none. */
  readonly partPolicy: 'once' | 'upsert' | 'own'
  readonly values: Values
  readonly hasher: LeafHasher
}

export interface Comparison {
  readonly changes: readonly PlannedLeaf[]
  /** Write-only leaves without a recorded hash. */
  readonly unverified: readonly LeafPath[]
  /** Variables without a value that an update would have to send. */
  readonly unset: readonly string[]
}

export async function compare(given: CompareRequest): Promise<Comparison> {
  // Known ids are inserted first, because they may be keys of maps and of parts.
  const request = { ...given, desired: expandOutputs(given.desired, given.values) }
  const { handler, found, values } = request
  const partKeys = partsInQuestion(request)
  const desired = desiredLeaves(request, partKeys)
  const observed = found ? observedLeaves(handler, found, partKeys) : new Map<LeafPath, Json>()

  const comingKeys = mapsWithComingKeys(desired.keys())
  const written = leavesOf(given.desired)
  const changes: PlannedLeaf[] = []
  const unverified: LeafPath[] = []
  const unset = new Set<string>()
  for (const path of new Set([...desired.keys(), ...observed.keys(), ...writtenBefore(request, partKeys)])) {
    const wanted = resolveWanted(path, desired.get(path), values)
    if (wanted?.type === 'unset') for (const variable of wanted.variables) unset.add(variable)
    const part = partKeyOf(handler, path)
    const isNew = found === undefined || (part !== undefined && !isOurPart(request.row, found, part))
    const isDisplaced = wanted === undefined && comingKeys.some((map) => path.startsWith(map))
    const isFollowing = followsMovedOutput(request, written.get(path))
    const leaf = await compareLeaf(request, {
      path,
      wanted,
      desired: desired.get(path),
      current: observed.get(path),
      isNew,
      isDisplaced,
      isFollowing,
    })
    if (leaf === 'unverified') unverified.push(path)
    else if (leaf) changes.push(leaf)
  }
  return { changes, unverified, unset: [...unset] }
}

interface Sides {
  readonly path: LeafPath
  readonly wanted: ResolvedLeaf | undefined
  /** Desired value with its placeholders. */
  readonly desired: Json | undefined
  readonly current: Json | undefined
  /** True if the object (or this part) does not exist yet, or is gone. */
  readonly isNew: boolean
  /** True if the leaf contains an output that has changed since the row was applied. */
  readonly isDisplaced: boolean
  /** True if the leaf contains an output that has changed since the row was applied. */
  readonly isFollowing: boolean
}

async function compareLeaf(request: CompareRequest, sides: Sides): Promise<PlannedLeaf | 'unverified' | undefined> {
  const { handler, hasher, row } = request
  const { path, wanted, desired, current, isNew, isDisplaced, isFollowing } = sides
  const field = fieldOf(handler, path)
  const base = baseOf(handler, row, path)
  const secrets = wanted?.type === 'known' ? wanted.secrets : []
  const seen = wanted?.type === 'known' && isSameText(current, wanted.value) ? wanted.value : current
  const observedHash = seen === undefined ? absentHash : await hashLeaf(hasher, field, seen, secrets)
  const desiredHash =
    wanted === undefined
      ? absentHash
      : wanted.type === 'known'
        ? await hashLeaf(hasher, field, comparable(field, wanted.value), secrets)
        : unknownHash
  if (!isNew && isFixedMark(handler, path)) return undefined
  if (wanted?.type === 'unset' && !isNew) return base ? undefined : 'unverified'

  const isSensitive =
    field.secret === true ||
    secrets.length > 0 ||
    wanted?.type === 'unset' ||
    (wanted?.type === 'unknown' && wanted.isSensitive) ||
    (base !== undefined && isSensitiveHash(base.desired))
  const verdict = isNew
    ? wanted && (request.found && base?.desired === desiredHash ? 'drift' : 'intent')
    : wanted?.type === 'unknown'
      ? usesAlready(row, wanted.of)
        ? 'dependency'
        : 'intent'
      : judge({
          desiredHash,
          observedHash,
          base,
          isSensitive,
          isWriteOnly: field.writeOnly === true,
          owner: field.owner,
        })
  if (verdict === undefined || verdict === 'unverified') return verdict
  const before = isNew ? absentHash : field.writeOnly ? (base?.desired ?? absentHash) : observedHash
  const part = partKeyOf(handler, path)
  return {
    path,
    ...(part === undefined ? {} : { part }),
    label: labelOf(handler, path),
    before: isNew ? { type: 'absent' } : shownBefore(current, before, isSensitive, field.writeOnly === true),
    after: shownAfter(wanted, desired, isSensitive),
    cause: (isDisplaced || isFollowing) && verdict === 'intent' ? 'dependency' : verdict,
    forcesReplacement: !isNew && field.immutable === true && part === undefined,
    beforeHash: before,
    afterHash: desiredHash,
  }
}

/** True if the row was applied with an output of the resource. A new reference is a change of the declaration. */
function usesAlready(row: Row | undefined, address: Address): boolean {
  return address === '' || Object.keys(row?.inputs ?? {}).some((input) => input.startsWith(`${address}#`))
}

function followsMovedOutput({ row, values }: CompareRequest, written: Json | undefined): boolean {
  return placeholdersIn(written).some((found) => {
    if (found.type !== 'output') return false
    const before = row?.inputs?.[`${found.address}#${found.output}`]
    return before !== undefined && before !== values.output(found.address, found.output)
  })
}

/** True for a mark that only a create can set. An object created elsewhere, or renamed, keeps its mark. */
export function isFixedMark(handler: Handler, path: LeafPath): boolean {
  const { mark, update } = handler
  if (mark === undefined || (update && !fieldOf(handler, path).immutable)) return false
  return Object.values(marks).some((key) => path === leafPath([mark, key]))
}

/** Returns undefined when the leaf stays as it is. */
function judge(facts: {
  readonly desiredHash: string
  readonly observedHash: string
  readonly base: Base | undefined
  readonly isSensitive: boolean
  readonly isWriteOnly: boolean
  readonly owner: Field['owner']
}): Cause | 'unverified' | undefined {
  const { desiredHash, observedHash, base, isWriteOnly } = facts
  if (isWriteOnly) {
    if (base === undefined) return desiredHash === absentHash ? undefined : 'unverified'
    return desiredHash === base.desired ? undefined : 'intent'
  }
  if (desiredHash === observedHash) return undefined
  if (desiredHash === absentHash && facts.owner === 'whileDeclared') return undefined
  const isForeign = desiredHash === absentHash && (base === undefined || base.desired === absentHash)
  if (isForeign && facts.owner === 'declared') return undefined
  if (base === undefined || base.observed === null) return isForeign ? 'drift' : 'intent'
  const isIntended = desiredHash !== base.desired
  // A new value of a variable means a new hash key, which changes the hash of an unchanged remote value too.
  const hasDrifted = observedHash !== base.observed && !(facts.isSensitive && isIntended)
  if (isIntended) return hasDrifted ? 'both' : 'intent'
  return hasDrifted ? 'drift' : undefined
}

function desiredLeaves({ handler, desired }: CompareRequest, parts: ReadonlySet<string>): ReadonlyMap<LeafPath, Json> {
  const leaves = leavesOf(desired)
  const isInQuestion = (path: LeafPath) => {
    const key = partKeyOf(handler, path)
    return key === undefined || parts.has(key)
  }
  return handler.parts ? new Map([...leaves].filter(([path]) => isInQuestion(path))) : leaves
}

/** Returns the keys of the parts that this apply may change. */
function partsInQuestion({ handler, desired, row, found, partPolicy }: CompareRequest): ReadonlySet<string> {
  const wanted = splitParts(handler, desired).parts.keys()
  const isOurs = (key: string) => found === undefined || isOurPart(row, found, key)
  if (partPolicy === 'own') return new Set([...wanted, ...Object.keys(row?.parts ?? {}).filter(isOurs)])
  // The interrupted create has not written the content of the object yet.
  const isEmpty = found === undefined || row?.operation?.type === 'create'
  if (partPolicy === 'upsert' || isEmpty) return new Set(wanted)
  return new Set(row?.operation?.type === 'parts' ? Object.keys(row.operation.pending) : [])
}

function resolveWanted(path: LeafPath, value: Json | undefined, values: Values): ResolvedLeaf | undefined {
  if (value === undefined) return undefined
  if (hasPlaceholder(path)) return { type: 'unknown', of: '', isSensitive: false }
  return resolveLeaf(value, values)
}

/** Returns the maps that will contain a key known only after apply, by the path prefix of their leaves. */
function mapsWithComingKeys(paths: Iterable<LeafPath>): readonly string[] {
  return [...paths].filter(hasPlaceholder).map((path) => {
    const keys = leafKeys(path)
    const coming = keys.findIndex(hasPlaceholder)
    return coming === 0 ? '' : `${leafPath(keys.slice(0, coming))}/`
  })
}

/** Returns recorded leaves that are neither desired nor visible now, if they are write-only. Others do not matter. */
function writtenBefore({ handler, row }: CompareRequest, parts: ReadonlySet<string>): readonly LeafPath[] {
  if (!row || row.form !== handler.form) return []
  return Object.keys(row.leaves).filter((path) => {
    const key = partKeyOf(handler, path)
    return fieldOf(handler, path).writeOnly && (key === undefined || parts.has(key))
  })
}

function shownBefore(current: Json | undefined, hash: string, isSensitive: boolean, isWriteOnly: boolean): ShownValue {
  if (hash === absentHash) return { type: 'absent' }
  if (isSensitive) return { type: 'sensitive' }
  if (isWriteOnly || current === undefined) return { type: 'unverified' }
  return { type: 'value', value: current }
}

function shownAfter(wanted: ResolvedLeaf | undefined, desired: Json | undefined, isSensitive: boolean): ShownValue {
  if (wanted === undefined) return { type: 'absent' }
  if (isSensitive) return { type: 'sensitive' }
  if (wanted.type === 'known') return { type: 'value', value: wanted.value }
  const value =
    desired &&
    rewrite(desired, (open) => {
      if (open.type !== 'output') return undefined
      return textOfOutput(open)
    })
  return { type: 'unknown', ...(value === undefined ? {} : { value }) }
}

/**
 * Returns the name of the leaf in agents.yaml: the handler's label, else its path. An id that is not known yet is shown
 * as the address of its object.
 */
export function labelOf(handler: Handler, path: LeafPath): string {
  const keys = leafKeys(path).map((key) =>
    String(rewrite(key, (open) => (open.type === 'output' ? textOfOutput(open) : `\${${open.name}}`))),
  )
  const { label } = fieldOf(handler, path)
  // The label of a field does not include the key of its part.
  const of = label !== undefined && partKeyOf(handler, path) !== undefined ? keys.slice(0, 2) : []
  return label === undefined ? pathText(keys) : [...(of.length === 0 ? [] : [pathText(of)]), label].join('.')
}

/** Returns what stands for a fact of an object that does not exist yet. */
function textOfOutput({ output, address }: { readonly output: string; readonly address: string }): string {
  return output === 'id' ? address : `${output} of ${address}`
}
