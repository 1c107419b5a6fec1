// Finds the objects of interrupted creates, so that the plan continues with them instead of creating them again.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import type { Connections } from './connections.js'
import { explainFailure } from './explain.js'
import { ownNamesOf, type PriorState } from './facts.js'
import type { LeafHasher } from './hasher.js'
import { findLostCreate, isUnfindable } from './lost-create.js'

export interface RecoveryResult {
  /** The given rows, with ids of the objects that were found. */
  readonly rows: ReadonlyMap<Address, Row>
  readonly diagnostics: readonly Diagnostic[]
}

export interface RecoverRequest {
  readonly rows: ReadonlyMap<Address, Row>
  readonly allRows: ReadonlyMap<Address, Row>
  readonly resources: ReadonlyMap<Address, Resource>
  readonly connections: Connections
  readonly prior: PriorState
  readonly hasher: LeafHasher
  readonly signal: AbortSignal
}

export async function recoverLostCreates(request: RecoverRequest): Promise<RecoveryResult> {
  const { rows, connections } = request
  const recovered = new Map(rows)
  const all = new Map(request.allRows)
  const diagnostics: Diagnostic[] = []
  const recover = async (address: Address, row: Row) => {
    try {
      const found = await lookFor(request, all, address, row)
      if (found.type === 'unfindable') diagnostics.push(found.note)
      if (found.type !== 'found') return
      recovered.set(address, found.row)
      all.set(address, found.row)
    } catch (error) {
      diagnostics.push(...explainFailure(error, address, (text) => text))
    }
  }
  const isOpen = ([, { id, operation }]: readonly [Address, Row]) => id === null && operation?.type === 'create'
  const open = [...rows].filter(isOpen)
  const isLookedForByContent = ([address, { api }]: readonly [Address, Row]) => {
    const { provider, kind } = parseAddress(address)
    return connections.handler(provider, kind, api).lostCreate.by === 'content'
  }
  await Promise.all(open.filter((entry) => !isLookedForByContent(entry)).map((entry) => recover(...entry)))
  // The search runs for one create after the other, because an object that was found for one cannot belong to another.
  for (const entry of open.filter(isLookedForByContent)) await recover(...entry)
  return { rows: recovered, diagnostics }
}

type SearchResult =
  | { readonly type: 'found'; readonly row: Row }
  | { readonly type: 'nothing' }
  | { readonly type: 'unfindable'; readonly note: Diagnostic }

async function lookFor(
  { resources, connections, prior, hasher, signal }: RecoverRequest,
  rows: ReadonlyMap<Address, Row>,
  address: Address,
  row: Row,
): Promise<SearchResult> {
  const { provider, kind } = parseAddress(address)
  const handler = connections.handler(provider, kind, row.api)
  if (isUnfindable(handler, resources.has(address))) return { type: 'unfindable', note: mayBeLeft(address, row) }
  const remote = await findLostCreate({
    handler,
    call: connections.call(provider, signal),
    address,
    ownNames: ownNamesOf(prior),
    row,
    desired: resources.get(address)?.desired,
    rows,
    hasher,
  })
  if (!remote && handler.lostCreate.by === 'match' && !resources.has(address))
    return { type: 'unfindable', note: mayBeLeft(address, row) }
  if (!remote) return { type: 'nothing' }
  const { id, ...outputs } = handler.outputs(remote)
  return { type: 'found', row: { ...row, id, outputs } }
}

/** Warns of a create whose answer was lost and whose object cannot be found. */
export function mayBeLeft(address: Address, { operation }: Pick<Row, 'operation'>): Diagnostic {
  const moment =
    operation?.type === 'create' ? ` The request was sent at ${new Date(operation.startedAtMs).toISOString()}.` : ''
  return diagnostic('apply.may-be-left', {
    address,
    detail: `The answer to the create of ${address} was lost, and the lists of the provider do not show whether it exists.${moment}`,
  })
}
