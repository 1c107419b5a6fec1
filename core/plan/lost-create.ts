// Searches for the object of a create whose answer was lost, for example by a crash. Changes nothing.

import type { Call, Handler, Remote } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import { parseAddress } from '../value/address.js'
import { canonical, type Tree } from '../value/tree.js'
import type { LeafHasher } from './hasher.js'
import { markIn } from './marks.js'
import { equalsCreate } from './same-content.js'

/**
 * Tolerated difference between the clocks of client and provider, if no answer has measured it. The object has our
 * mark, so the limit may be generous.
 */
const clockSkewMs = 10 * 60_000
/**
 * Tolerated difference for objects that are found by content. Content does not distinguish our object from one of
 * another client, so the times must be close. Clocks within one provider differ, too.
 */
const contentSkewMs = 60_000
/**
 * Time in which the object must have been created. It is longer than any create is retried, so an object created later
 * is not ours.
 */
const contentWindowMs = 60 * 60_000

export interface LostCreateRequest {
  readonly handler: Handler
  readonly call: Call<unknown>
  readonly address: Address
  /** Names that this project has, and had. */
  readonly ownNames: readonly string[]
  /** Row as recorded before the create. */
  readonly row: Row
  /**
   * Desired tree with the known values inserted; only `match` uses it. Absent if the resource is no longer declared.
   */
  readonly desired: Tree | undefined
  /** All recorded rows: objects of other rows belong to them, deposed ones included. */
  readonly rows: ReadonlyMap<Address, Row>
  readonly hasher: LeafHasher
}

/**
 * Finds the one object that the lost create made, or undefined. Several candidates are an error: a guess could adopt a
 * stranger's object.
 */
export async function findLostCreate(request: LostCreateRequest): Promise<Remote | undefined> {
  const { handler, call, rows } = request
  const isIt = recogniser(request)
  if (!isIt || !handler.list) return undefined
  const boundIds = boundIdsOf(rows)
  const isInTime = timeOf(request)
  const candidates: Remote[] = []
  for await (const remote of handler.list(call)) {
    if (handler.isGone?.(remote) || boundIds.has(handler.outputs(remote).id)) continue
    if (isInTime(handler.createdAtMs?.(remote)) && (await isIt(remote))) candidates.push(remote)
  }
  // If several open creates want equal objects, each candidate is right for any of them.
  if (candidates.length <= Math.max(1, openAlike(request))) return candidates[0]
  const ids = candidates.map((remote) => handler.outputs(remote).id)
  throw problem('apply.lost-create-ambiguous', {
    address: request.address,
    detail: `An earlier run was interrupted while it created ${request.address}; ${ids.join(' and ')} may both be the object it created.`,
    fix: `Compare both, remove the one you do not need, or bind one with "agents import ${request.address} ${ids[0]}".`,
  })
}

/**
 * True if an object of the open create may exist unnoticed: if the create is repeated, or if the row of a resource that
 * is no longer declared is removed.
 */
export function isUnfindable({ lostCreate, isStateOnly }: Handler, isDeclared: boolean): boolean {
  if (lostCreate.by === 'key') return !isDeclared
  return lostCreate.by === 'repeat' && isStateOnly !== true && !(lostCreate.isIdempotent && isDeclared)
}

/**
 * Returns a key that is equal for creates of equal content. They run one after the other, because their objects cannot
 * be distinguished.
 */
export function likenessKey(address: Address, { api = '', leaves }: Pick<Row, 'api' | 'leaves'>): string {
  const { provider, kind } = parseAddress(address)
  return canonical([provider, kind, api, { ...leaves }])
}

function openAlike({ handler, rows, address, row }: LostCreateRequest): number {
  if (handler.lostCreate.by !== 'content') return 1
  const key = likenessKey(address, row)
  const others = [...rows].filter(
    ([other, { id, operation, ...rest }]) =>
      other !== address && id === null && operation?.type === 'create' && likenessKey(other, rest) === key,
  )
  return 1 + others.length
}

function boundIdsOf(rows: ReadonlyMap<Address, Row>): ReadonlySet<string> {
  const ids = [...rows.values()].flatMap(({ id, deposed }) => [id, ...(deposed ?? []).map((old) => old.id)])
  return new Set(ids.filter((id) => id !== null))
}

/** Returns the creation time of a candidate. Candidates without one may be of any age. */
function timeOf({
  handler,
  row: { operation },
  desired,
}: LostCreateRequest): (createdAtMs: number | undefined) => boolean {
  const { startedAtMs = 0, retriedAtMs = startedAtMs } = operation?.type === 'create' ? operation : {}
  const { by } = handler.lostCreate
  const isByContent = by === 'content' || (by === 'match' && desired === undefined)
  const earliestMs = startedAtMs - (isByContent ? contentSkewMs : clockSkewMs)
  const latestMs = isByContent ? retriedAtMs + contentWindowMs : Number.POSITIVE_INFINITY
  return (createdAtMs) => createdAtMs === undefined || (createdAtMs >= earliestMs && createdAtMs <= latestMs)
}

function recogniser(request: LostCreateRequest): ((remote: Remote) => boolean | Promise<boolean>) | undefined {
  const { handler, address, ownNames, desired } = request
  const { lostCreate, mark } = handler
  if (lostCreate.by === 'match')
    return (remote) =>
      desired === undefined ? equalsCreate(request, remote, undefined) : lostCreate.matches(remote, desired)
  if (lostCreate.by === 'content') return (remote) => equalsCreate(request, remote, lostCreate.digest)
  if (lostCreate.by !== 'mark' || mark === undefined) return undefined
  const { name } = parseAddress(address)
  return (remote) => {
    const found = markIn(handler, handler.observed(remote))
    return found?.name === name && ownNames.includes(found.project)
  }
}
