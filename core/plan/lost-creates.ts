// Rows whose create was interrupted: finds what it made, so that the plan goes on with that object instead of a second one.
import type { Diagnostic } from '../diagnostic.js'
import { type Address, parseAddress } from '../graph/address.js'
import type { Row } from '../state/row.js'
import type { Connections } from './connections.js'
import { explainFailure } from './explain.js'
import type { PriorState } from './facts.js'
import { findLostCreate } from './lost-create.js'
import type { Resource } from './plan.js'

export interface Recovered {
  /** The rows given, those of found objects with their id. */
  readonly rows: ReadonlyMap<Address, Row>
  readonly diagnostics: readonly Diagnostic[]
}

export async function recoverLostCreates(request: {
  readonly rows: ReadonlyMap<Address, Row>
  readonly allRows: ReadonlyMap<Address, Row>
  readonly resources: ReadonlyMap<Address, Resource>
  readonly connections: Connections
  readonly prior: PriorState
  readonly signal: AbortSignal
}): Promise<Recovered> {
  const { rows, resources, connections, prior, signal } = request
  const recovered = new Map(rows)
  const diagnostics: Diagnostic[] = []
  const boundIds = boundIdsOf(request.allRows)
  const open = [...rows].filter(([, { id, operation }]) => id === null && operation?.type === 'create')
  await Promise.all(
    open.map(async ([address, row]) => {
      if (row.operation?.type !== 'create') return
      const { provider, kind } = parseAddress(address)
      try {
        const handler = connections.handler(provider, kind, row.api)
        const remote = await findLostCreate({
          handler,
          call: connections.call(provider, signal),
          address,
          projectName: prior.project,
          startedAtMs: row.operation.startedAtMs,
          desired: resources.get(address)?.desired ?? {},
          boundIds,
        })
        if (!remote) return
        const { id, ...outputs } = handler.outputs(remote)
        recovered.set(address, { ...row, id, outputs })
      } catch (error) {
        diagnostics.push(...explainFailure(error, address, (text) => text))
      }
    }),
  )
  return { rows: recovered, diagnostics }
}

export function boundIdsOf(rows: ReadonlyMap<Address, Row>): ReadonlySet<string> {
  const ids = [...rows.values()].flatMap(({ id, deposed }) => [id, ...(deposed ?? []).map((old) => old.id)])
  return new Set(ids.filter((id) => id !== null))
}
