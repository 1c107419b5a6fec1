// First phase of planning: selects the resources and rows of this run, without a remote call.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { buildResources } from '../graph/resources.js'
import { inputsOf, type Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import type { Connections } from './connections.js'
import { explainFailure } from './explain.js'
import { findMoves, type Moves } from './moves.js'
import { KnownOutputs } from './outputs.js'
import type { PlanningRun, Reported } from './planning-run.js'
import { usersOf } from './removals.js'
import { type ProviderScope, scopeOf, selectAddresses } from './scope.js'

export interface Selection extends Reported {
  /** Resources in dependency order. */
  readonly resources: ReadonlyMap<Address, Resource>
  /** Rows in scope, those of renamed resources under their new addresses. */
  readonly rows: ReadonlyMap<Address, Row>
  /** Old address by new address of renamed resources. */
  readonly movedFrom: ReadonlyMap<Address, Address>
}

export async function select(run: PlanningRun): Promise<Selection> {
  const { prior, options, connections } = run
  const scope = scopeOf(options.project, options.registry, options.scope, prior.rows)
  const declared = declaredResources(run, scope)
  const selected = selectedAddresses(run, scope, declared)
  const resources = new Map([...declared.all].filter(([address]) => selected.has(address)))
  const moves = await renames(run, { scope, declared, resources })
  const rows = new Map([...moves.rows].filter(([address]) => selected.has(address)))
  return {
    resources,
    rows,
    movedFrom: moves.from,
    diagnostics: [
      ...scope.notes,
      ...declared.diagnostics.filter(({ address }) => address === undefined || selected.has(address)),
      ...undeclaredProviders(rows, connections),
    ],
  }
}

interface Declared extends Reported {
  readonly all: ReadonlyMap<Address, Resource>
}

/** Returns the declared resources in scope. A destroy wants none of them. */
function declaredResources({ prior, options }: PlanningRun, { targets }: ProviderScope): Declared {
  const { project, registry, mode } = options
  if (mode === 'destroy') return { all: new Map(), diagnostics: [] }
  return buildResources({ project, registry, projectName: prior.project, rows: prior.rows, targets })
}

function selectedAddresses(
  { prior, options }: PlanningRun,
  scope: ProviderScope,
  { all, diagnostics }: Declared,
): ReadonlySet<Address> {
  const known = [...all.keys(), ...scope.rows.keys(), ...diagnostics.flatMap(({ address }) => address ?? [])]
  return selectAddresses(new Set(known), needsAmong(all, prior.rows), options.scope)
}

interface RenamesRequest {
  readonly scope: ProviderScope
  readonly declared: Declared
  readonly resources: ReadonlyMap<Address, Resource>
}

function renames(
  { prior, hasher, options }: PlanningRun,
  { scope, declared, resources }: RenamesRequest,
): Promise<Moves> {
  return findMoves({
    resources,
    rows: scope.rows,
    isDeclared: (address) => options.mode !== 'apply' || declared.all.has(address),
    values: new KnownOutputs(options.project.variables, prior.rows),
    hasher,
  })
}

/** Returns the addresses that each address needs. To exist it needs those it uses; to be removed, those that use it. */
function needsAmong(
  wanted: ReadonlyMap<Address, Resource>,
  rows: ReadonlyMap<Address, Row>,
): (address: Address) => readonly Address[] {
  const users = usersOf(rows)
  return (address) => {
    const resource = wanted.get(address)
    return resource ? [...resource.dependencies, ...inputsOf(rows.get(address))] : (users.get(address) ?? [])
  }
}

function undeclaredProviders(rows: ReadonlyMap<Address, Row>, connections: Connections): readonly Diagnostic[] {
  const found = new Map<string, readonly Diagnostic[]>()
  for (const address of rows.keys()) {
    const { provider } = parseAddress(address)
    if (found.has(provider)) continue
    try {
      connections.provider(provider)
      found.set(provider, [])
    } catch (error) {
      found.set(
        provider,
        explainFailure(error, address, (text) => text),
      )
    }
  }
  return [...found.values()].flat()
}
