// After a crash or a lost answer: did the create take effect? Looks for the object without changing anything.

import type { Address } from '../graph/address.js'
import { parseAddress } from '../graph/address.js'
import type { Call, Handler, Remote } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Tree } from '../value/tree.js'
import { markOf } from './marks.js'

/** Clocks of client and provider may differ by this much. */
const clockSkewMs = 10 * 60_000

export interface LostCreateRequest {
  readonly handler: Handler
  readonly call: Call<unknown>
  readonly address: Address
  readonly projectName: string
  readonly startedAtMs: number
  /** Expanded as far as known; only `match` looks at it. */
  readonly desired: Tree
  /** Ids that rows hold already, deposed ones included. */
  readonly boundIds: ReadonlySet<string>
}

/** The one object that the lost create made, or undefined. Two candidates are an error: guessing could adopt a stranger's. */
export async function findLostCreate(request: LostCreateRequest): Promise<Remote | undefined> {
  const { handler, call, boundIds, startedAtMs } = request
  const isIt = recogniser(request)
  if (!isIt || !handler.list) return undefined
  const candidates: Remote[] = []
  for await (const remote of handler.list(call)) {
    if (handler.isGone?.(remote) || boundIds.has(handler.outputs(remote).id)) continue
    const createdAtMs = handler.createdAtMs?.(remote)
    if (createdAtMs !== undefined && createdAtMs < startedAtMs - clockSkewMs) continue
    if (isIt(remote)) candidates.push(remote)
  }
  if (candidates.length <= 1) return candidates[0]
  const ids = candidates.map((remote) => handler.outputs(remote).id)
  throw problem('apply.lost-create-ambiguous', {
    address: request.address,
    detail: `An earlier run was interrupted while it created ${request.address}; ${ids.join(' and ')} both look like its work.`,
    fix: `Look at both, remove the one you do not need, or bind one with "agents import ${request.address} ${ids[0]}".`,
  })
}

function recogniser({
  handler,
  address,
  projectName,
  desired,
}: LostCreateRequest): ((remote: Remote) => boolean) | undefined {
  const { lostCreate, mark } = handler
  if (lostCreate.by === 'match') return (remote) => lostCreate.matches(remote, desired)
  if (lostCreate.by !== 'mark' || mark === undefined) return undefined
  const { name } = parseAddress(address)
  return (remote) => markOf(handler, remote, projectName)?.name === name
}
