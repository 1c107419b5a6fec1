// Third phase of planning: reads the objects of the selected rows. Failed reads are errors of the plan.
import type { Resource } from '../graph/resource.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { explainFailure } from './explain.js'
import { ownNamesOf } from './facts.js'
import { guardVanished, providersElsewhere } from './guard.js'
import { type RecoveryResult, recoverLostCreates } from './lost-creates.js'
import type { Observation } from './observation.js'
import type { PlanningRun, Reported } from './planning-run.js'
import { type RefreshResult, refresh } from './refresh.js'
import type { Selection } from './select.js'
import { leftToOther, refuseTakenOver, type TakenOver, takenOver } from './taken-over.js'
import { isUnchanged } from './unchanged.js'

export interface Reading extends Reported {
  /** Rows of providers that were read; lost creates have the ids that were found. */
  readonly reachable: ReadonlyMap<Address, Row>
  /** Rows of providers whose recorded ids belong to another account or to an emulator. */
  readonly unreachable: ReadonlyMap<Address, Row>
  readonly found: ReadonlyMap<Address, Observation>
  /** Providers whose recorded objects `--recreate` does not touch. */
  readonly elsewhere: ReadonlySet<string>
  /** Objects that other projects have taken over. */
  readonly takenOver: TakenOver
}

export async function read(run: PlanningRun, selection: Selection): Promise<Reading> {
  const { prior, connections, mask } = run
  // Their ids are invalid for this account, where a read could even find another object.
  const elsewhere = providersElsewhere(prior, connections)
  const [rowsOfAccount, unreachable] = splitRows(
    selection.rows,
    (address) => !elsewhere.has(parseAddress(address).provider),
  )
  const recovered = await recovery(run, selection, rowsOfAccount)
  const refreshed = await refreshRows(run, withExternals(recovered.rows, selection.resources))
  const taken = takenOver({
    rows: recovered.rows,
    resources: selection.resources,
    found: refreshed.found,
    ownNames: ownNamesOf(prior),
    connections,
  })
  const { leftBehind, diagnostics } = judgeTaken(run, selection, recovered.rows, taken)
  const nothing = [...unreachable.keys(), ...leftBehind].map((address) => [address, gone] as const)
  const found = new Map([...refreshed.found, ...nothing])
  return {
    reachable: recovered.rows,
    unreachable,
    found,
    elsewhere,
    takenOver: taken,
    diagnostics: [
      ...recovered.diagnostics,
      ...diagnostics,
      ...[...refreshed.failures].flatMap(([address, error]) => explainFailure(error, address, mask)),
      ...(await vanished(run, selection, found)),
    ],
  }
}

const gone = { type: 'gone' } as const

/** Refuses to go on with declared objects of others, unless `--recreate` asks for new ones. */
function judgeTaken(
  { recreate }: PlanningRun,
  { resources }: Selection,
  rows: ReadonlyMap<Address, Row>,
  taken: TakenOver,
): Reported & { readonly leftBehind: readonly Address[] } {
  const leftBehind: Address[] = []
  const diagnostics = [...taken].flatMap(([address, project]) => {
    const row = rows.get(address)
    if (row === undefined || !resources.has(address)) return []
    if (!recreate.includes(parseAddress(address).provider)) return [refuseTakenOver(address, row, project)]
    leftBehind.push(address)
    return [leftToOther(address, row, project)]
  })
  return { leftBehind, diagnostics }
}

function recovery(
  { prior, connections, hasher, signal }: PlanningRun,
  { resources }: Selection,
  rows: ReadonlyMap<Address, Row>,
): Promise<RecoveryResult> {
  return recoverLostCreates({ rows, allRows: prior.rows, resources, connections, prior, hasher, signal })
}

function refreshRows(
  { options, connections, hasher, parallelism, signal }: PlanningRun,
  rows: ReadonlyMap<Address, Row>,
): Promise<RefreshResult> {
  return refresh(rows, {
    connections,
    parallelism,
    signal,
    onRefresh: options.onRefresh,
    isUnchanged(address, row, found) {
      const { provider, kind } = parseAddress(address)
      return isUnchanged(hasher, connections.handler(provider, kind, row.api), row, found)
    },
  })
}

async function vanished(
  { prior, options, connections, hasher, recreate }: PlanningRun,
  { rows }: Selection,
  found: ReadonlyMap<Address, Observation>,
) {
  if (options.mode === 'destroy') return []
  const isGone = (address: Address) => found.get(address)?.type === 'gone'
  return guardVanished({ rows, isGone, recreate, recorded: prior, connections, hasher })
}

function splitRows(
  rows: ReadonlyMap<Address, Row>,
  isFirst: (address: Address) => boolean,
): readonly [ReadonlyMap<Address, Row>, ReadonlyMap<Address, Row>] {
  const first = [...rows].filter(([address]) => isFirst(address))
  return [new Map(first), new Map([...rows].filter(([address]) => !isFirst(address)))]
}

/** Returns the rows to read: those in scope, and the objects of external references. */
function withExternals(
  rows: ReadonlyMap<Address, Row>,
  resources: ReadonlyMap<Address, Resource>,
): ReadonlyMap<Address, Row> {
  const all = new Map(rows)
  for (const [address, { externalId, api, handler }] of resources) {
    if (externalId === undefined) continue
    all.set(address, { id: externalId, ...(api ? { api } : {}), form: handler.form, leaves: {} })
  }
  return all
}
