// Refuses declarations that refer to an object of ours that cannot be named (agent configuration 2.15 rule 10): a raw
// id instead would end the management of that object unnoticed.

import { explainingFailures } from '../actions/failures.js'
import { type Diagnostic, Problem } from '../diagnostic.js'
import type { Connections } from '../plan/connections.js'
import { markOf } from '../plan/marks.js'
import { isFailure } from '../plugin/failure.js'
import type { Handler } from '../plugin/handler.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { NamedObjects } from './remote-index.js'

export interface MemberRequest {
  readonly index: NamedObjects
  readonly connections: Connections
  readonly rows: ReadonlyMap<Address, Row>
  readonly projectName: string
  readonly signal: AbortSignal
  mask(text: string): string
}

export async function refuseLostMembers(request: MemberRequest): Promise<void> {
  const nameless = [...request.index.nameless].map(({ kind, object }) =>
    lostReference(`The ${kind} ${object.id} is marked as belonging to this project, but its mark has no logical name.`),
  )
  const undeclared = [...request.index.undeclared].map((object) =>
    lostReference(
      `The ${object.kind} ${object.object.id} belongs to this project, and agents.yaml has no words for it.`,
    ),
  )
  const missing = await Promise.all([...request.index.unknown].map((key) => judge(request, key)))
  const found = [...nameless, ...undeclared, ...missing.flat()]
  if (found.length > 0) throw new Problem(found)
}

async function judge(request: MemberRequest, key: string): Promise<readonly Diagnostic[]> {
  const [provider = '', kind = '', id = ''] = key.split(' ')
  const owner = [...request.rows].find(([address, row]) => address.startsWith(`${provider}.${kind}.`) && row.id === id)
  const handlers = request.connections
    .provider(provider)
    .handlers.filter((one) => one.kind === kind && one.list && one.declare)
  for (const handler of handlers) {
    const attempt = { subject: provider, mask: request.mask }
    const verdict = await explainingFailures(attempt, () => memberProblem(request, handler, provider, id, owner?.[0]))
    if (verdict) return [lostReference(verdict)]
  }
  return []
}

async function memberProblem(
  { connections, projectName, signal }: MemberRequest,
  handler: Handler,
  provider: string,
  id: string,
  owner: Address | undefined,
): Promise<string | undefined> {
  const what = owner === undefined ? `The ${handler.kind} ${id}` : `${owner} (${id})`
  try {
    const remote = await handler.read(connections.call(provider, signal), id)
    const isOurs = owner !== undefined || markOf(handler, remote, projectName) !== undefined
    if (!isOurs) return undefined
    if (handler.isGone?.(remote)) return `${what} belongs to this project and is archived.`
    return `${what} belongs to this project, and the account's listing does not show it.`
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error
    return owner === undefined ? undefined : `${what} belongs to this project and does not exist any more.`
  }
}

function lostReference(detail: string): Diagnostic {
  return diagnostic('sync.owned-member-lost', { detail: `${detail} The file was left as it is.` })
}
