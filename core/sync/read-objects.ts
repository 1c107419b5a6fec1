// First phase of sync: the objects at the providers, the name that each has in agents.yaml, and the rows they have in state.
import type { Diagnostic } from '../diagnostic.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import { type Discovered, discover } from './discover.js'
import { identify } from './identify.js'
import { nameAll } from './names.js'
import { type Recognition, recognise } from './recognise.js'
import type { SyncRun } from './sync-run.js'

export interface ObjectsRead {
  readonly names: ReadonlyMap<Discovered, string>
  /** Objects of declarations that no list shows. */
  readonly recognised: readonly Recognition[]
  /** Rows of state, and of recognised objects. */
  readonly rows: ReadonlyMap<Address, Row>
  readonly notes: readonly Diagnostic[]
}

export async function readObjects(run: SyncRun): Promise<ObjectsRead> {
  const { state, options, connections, providers, signal, mask } = run
  const { project: projectName, rows } = state
  const base = { ...options, connections, projectName, rows, providers, signal, mask }
  const discovery = await discover(base)
  const names = nameAll(await identify({ ...options, projectName, rows }, discovery.objects))
  const recognised = await recognise({ ...base, names })
  return {
    names,
    recognised,
    rows: new Map([...rows, ...recognised.map(({ address, row }) => [address, row] as const)]),
    notes: discovery.notes,
  }
}
