// Import: binds existing remote objects to addresses, phase by phase, after checking that they belong to nobody else.
import { explainingFailures } from '../actions/failures.js'
import type { ApplyOptions } from '../apply/options.js'
import { hasErrors, Problem } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { buildResources } from '../graph/resources.js'
import { Connections } from '../plan/connections.js'
import { KnownOutputs } from '../plan/outputs.js'
import type { Handler } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { StateWriter } from '../state/store.js'
import type { Address } from '../value/address.js'
import { type Binder, markObject, recordObject } from './bind-object.js'
import type { Binding } from './bound.js'
import { attemptFor, type FoundForImport, findAllForImport } from './find-for-import.js'

/** Binds one object, see `bindAll`. */
export function bind(options: ApplyOptions, state: StateWriter, binding: Binding): Promise<void> {
  return bindAll(options, state, [binding])
}

/**
 * Binds objects to addresses that the project declares, each after the objects whose ids it uses. First, all objects
 * are found. Then every object that supports a mark gets one, so that a run after a crash gives it the same name. Then
 * `prepare` writes files to the disk. At last the rows are recorded.
 */
export async function bindAll(
  options: ApplyOptions,
  state: StateWriter,
  bindings: readonly Binding[],
  prepare: () => Promise<void> = async () => {},
): Promise<void> {
  const found = await findAllForImport(options, state, bindings)
  const pairs = declaredPairs(options, state, found)
  const values = new KnownOutputs(options.project.variables, state.rows)
  const binder: Binder = { options, state, values, connections: new Connections(options) }
  const marked = await markAll(binder, pairs)
  await prepare()
  for (const { resource, object } of marked) await recordObject(binder, resource, object)
}

interface Pair {
  readonly resource: Resource
  readonly object: FoundForImport
}

/** Returns the objects with the resources that they are to become, in dependency order. */
function declaredPairs(
  { project, registry }: ApplyOptions,
  state: StateWriter,
  found: ReadonlyMap<Address, FoundForImport>,
): readonly Pair[] {
  const { all, diagnostics } = buildResources({
    project,
    registry,
    projectName: state.project,
    rows: new Map([...state.rows, ...[...found].map(([address, one]) => [address, placeholderRow(one)] as const)]),
    targets: ({ providers }) => providers.names,
  })
  const inTheWay = diagnostics.filter(({ address }) => address === undefined || found.has(address))
  if (hasErrors(inTheWay)) throw new Problem(inTheWay)
  for (const [address, { handler }] of found) {
    const resource = all.get(address)
    if (!resource) throw notDeclared(address)
    if ((handler.api ?? resource.api) !== resource.api) throw otherApi(resource, handler)
  }
  return [...all.values()].flatMap((resource) => {
    const object = found.get(resource.address)
    return object ? [{ resource, object }] : []
  })
}

async function markAll(binder: Binder, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  const marked: Pair[] = []
  for (const { resource, object } of pairs) {
    const attempt = attemptFor(binder.options, resource.address)
    const found = await explainingFailures(attempt, () => markObject(binder, resource, object))
    marked.push({ resource, object: { ...object, found } })
  }
  return marked
}

/** Creates a placeholder row, because a resource that nothing refers to is placed in the API of its row. */
function placeholderRow({ handler, found }: FoundForImport): Row {
  return { id: found.id, form: handler.form, leaves: {}, ...(handler.api ? { api: handler.api } : {}) }
}

function notDeclared(address: Address): Problem {
  return problem('import.not-declared', {
    address,
    detail: `The project file declares no resource with the address ${address}.`,
  })
}

function otherApi({ address, api }: Resource, handler: Handler): Problem {
  return problem('import.other-api', {
    address,
    detail: `The declaration belongs to the ${api} API, and the object is in the ${handler.api ?? 'other'} one.`,
  })
}
