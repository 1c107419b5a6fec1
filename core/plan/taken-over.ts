// Recorded objects that carry the mark of another project: it has taken them over, so that this one leaves them alone.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { isFailure } from '../plugin/failure.js'
import type { Call, Handler } from '../plugin/handler.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { shellWord } from '../value/shell-word.js'
import type { Tree } from '../value/tree.js'
import type { Connections } from './connections.js'
import { canBeMarked, markIn } from './marks.js'
import type { Observation } from './observation.js'

/** Names of other projects by the address that the object has here. */
export type TakenOver = ReadonlyMap<Address, string>

export interface TakenOverRequest {
  readonly rows: ReadonlyMap<Address, Row>
  readonly resources: ReadonlyMap<Address, Resource>
  readonly found: ReadonlyMap<Address, Observation>
  /** Names that this project has, and had. */
  readonly ownNames: readonly string[]
  readonly connections: Connections
}

export function takenOver({ rows, resources, found, ownNames, connections }: TakenOverRequest): TakenOver {
  const taken = new Map<Address, string>()
  for (const [address, row] of rows) {
    const observed = found.get(address)
    const isExternal = row.ownership === 'external' || resources.get(address)?.externalId !== undefined
    if (observed?.type !== 'present' || isExternal) continue
    const { provider, kind } = parseAddress(address)
    const project = otherProjectOf(connections.handler(provider, kind, row.api), observed.observed, ownNames)
    if (project !== undefined) taken.set(address, project)
  }
  return taken
}

/**
 * Returns the other project that a recorded object belongs to now. A mark that cannot be written says who made the object,
 * and not whose it is.
 */
function otherProjectOf(handler: Handler, observed: Tree, ownNames: readonly string[]): string | undefined {
  const project = canBeMarked(handler) ? markIn(handler, observed)?.project : undefined
  return project === undefined || ownNames.includes(project) ? undefined : project
}

/** Reads whose the object is now, without its parts. An object that is gone is nobody's. */
export async function readOtherProject(
  handler: Handler,
  call: Call<unknown>,
  { id, ownNames }: { readonly id: string; readonly ownNames: readonly string[] },
): Promise<string | undefined> {
  if (!canBeMarked(handler)) return undefined
  try {
    const remote = await handler.read(call, id)
    return handler.isGone?.(remote) ? undefined : otherProjectOf(handler, handler.observed(remote), ownNames)
  } catch (error) {
    if (isFailure(error, 'gone')) return undefined
    throw error
  }
}

/** Stops the run: an update would take the object back. */
export function refuseTakenOver(address: Address, { id }: Row, project: string): Diagnostic {
  return diagnostic('plan.other-project', {
    address,
    detail: `${address} is ${id}, which carries the mark of the project "${project}" now.`,
    fix: `If it is theirs: agents state rm ${address}. To take it back: agents import ${address} ${id} --take ${shellWord(project)}`,
  })
}

/** Says that the run forgets the object instead of removing or replacing it. */
export function leftToOther(address: Address, { id }: Pick<Row, 'id'>, project: string): Diagnostic {
  return diagnostic('plan.left-to-project', {
    address,
    detail: `${id} carries the mark of the project "${project}" now, so it is left to that project.`,
  })
}
