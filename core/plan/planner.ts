// From project, state and providers to a plan. Reads only; writes nothing anywhere.

import { type Diagnostic, hasErrors, Problem } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { buildResources } from '../graph/resources.js'
import type { Row } from '../state/row.js'
import { inputsOf } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { clockNotes } from './clock-notes.js'
import { Connections } from './connections.js'
import { type Decision, decide } from './decide.js'
import { digestsOf } from './digests.js'
import { explainFailure } from './explain.js'
import { type PlanningFacts, type PriorState, rowsDigest } from './facts.js'
import { guardAccounts, guardVanished, providersElsewhere, warnOfPlainHttp } from './guard.js'
import type { LeafHasher } from './hasher.js'
import { recoverLostCreates } from './lost-creates.js'
import { findMoves } from './moves.js'
import { type PlanOptions, parallelismDefault } from './options.js'
import { KnownOutputs } from './outputs.js'
import { missingOutside } from './outside.js'
import type { Change, Plan } from './plan.js'
import { refresh } from './refresh.js'
import { decideRefresh } from './refresh-only.js'
import { decideRemovals, usersOf } from './removals.js'
import { likelyRenames } from './renames.js'
import { askedProviders, scopeOf, selectAddresses } from './scope.js'
import { standInNotes } from './stand-in.js'
import { stateRuleDiagnostics } from './state-rules.js'
import { isUnchanged } from './unchanged.js'
import { findUnrecorded } from './unrecorded.js'
import { stillToCome } from './waiting.js'
import { warmHasher } from './warm.js'

const gone = { type: 'gone' } as const

/** Throws `Problem` with everything that stops the plan; what remains are notes and warnings. */
export async function makePlan(prior: PriorState, hasher: LeafHasher, options: PlanOptions): Promise<Plan> {
  const { project, registry, mode } = options
  const signal = options.signal ?? new AbortController().signal
  const recreate = askedProviders(registry, [...project.providers.keys()], options.recreate ?? [], '--recreate')
  const connections = new Connections(options)
  const diagnostics: Diagnostic[] = []
  const stopOnErrors = () => {
    if (hasErrors(diagnostics)) throw new Problem(diagnostics)
  }

  const scope = scopeOf(project, registry, options.scope, prior.rows)
  diagnostics.push(...scope.notes)
  const wanted =
    mode === 'destroy'
      ? { all: new Map<Address, Resource>(), diagnostics: [] }
      : buildResources({ project, registry, projectName: prior.project, rows: prior.rows, targets: scope.targets })
  const selected = selectAddresses(
    new Set([
      ...wanted.all.keys(),
      ...scope.rows.keys(),
      ...wanted.diagnostics.flatMap(({ address }) => address ?? []),
    ]),
    needsAmong(wanted.all, prior.rows),
    options.scope,
  )
  diagnostics.push(...wanted.diagnostics.filter(({ address }) => address === undefined || selected.has(address)))
  const resources = new Map([...wanted.all].filter(([address]) => selected.has(address)))
  const moves = await findMoves({
    resources,
    rows: scope.rows,
    isDeclared: (address) => mode !== 'apply' || wanted.all.has(address),
    values: new KnownOutputs(project.variables, prior.rows),
    hasher,
  })
  const rows = new Map([...moves.rows].filter(([address]) => selected.has(address)))
  diagnostics.push(...undeclaredProviders(rows, connections))
  stopOnErrors()

  diagnostics.push(...stateRuleDiagnostics(resources, rows, options))
  const touched = new Set([...rows.keys(), ...resources.keys()].map((address) => parseAddress(address).provider))
  const strangers = guardAccounts(
    [...touched].filter((provider) => !recreate.includes(provider)),
    prior,
    connections,
  )
  diagnostics.push(...strangers, ...warnOfPlainHttp(touched, connections))
  stopOnErrors()

  const parallelism = options.parallelism ?? parallelismDefault
  const mask = (text: string) => project.variables.mask(text)
  if (mode === 'apply') {
    const { project: projectName, rows } = prior
    diagnostics.push(...(await findUnrecorded({ resources, rows, projectName, recreate, connections, signal, mask })))
    stopOnErrors()
  }
  // Their ids mean nothing here, and asking with them might not even be refused as "not found".
  const elsewhere = providersElsewhere(prior, connections)
  const [reachable, unreachable] = parted(rows, (address) => !elsewhere.has(parseAddress(address).provider))
  const recovered = await recoverLostCreates({
    rows: reachable,
    allRows: prior.rows,
    resources,
    connections,
    prior,
    hasher,
    signal,
  })
  const refreshed = await refresh(withExternals(recovered.rows, resources), {
    connections,
    parallelism,
    signal,
    onRefresh: options.onRefresh,
    isUnchanged: (address, row, found) =>
      isUnchanged(hasher, connections.handler(...kindOf(address), row.api), row, found),
  })
  diagnostics.push(...recovered.diagnostics)
  for (const [address, error] of refreshed.failures) diagnostics.push(...explainFailure(error, address, mask))
  const observed = new Map([...refreshed.found, ...[...unreachable.keys()].map((address) => [address, gone] as const)])
  if (mode !== 'destroy')
    diagnostics.push(
      ...(await guardVanished({ rows, found: observed, recreate, recorded: prior, connections, hasher })),
    )
  stopOnErrors()

  diagnostics.push(...clockNotes(connections.clocks.known))
  const [found, movedFrom] = [observed, moves.from]
  const known = new Map([...recovered.rows, ...unreachable])
  const { waiting, diagnostics: unanswered } = await stillToCome(resources, recovered.rows, {
    connections,
    signal,
    mask,
  })
  diagnostics.push(...unanswered)
  const shared = { hasher, rows: known, movedFrom, found, resources, prior, connections, elsewhere, waiting }
  const effective = { ...options, ...shared }
  await warmHasher(hasher, resources.values(), project.variables)
  const writes = mode === 'refresh' ? await decideRefresh(effective) : await decideWrites(effective, diagnostics)
  if (mode === 'apply') diagnostics.push(...(await missingOutside(effective, writes)))
  const changes = mode === 'refresh' ? writes : [...writes, ...decideRemovals(effective, diagnostics, writes)]
  stopOnErrors()
  const busy = new Set(changes.filter(({ action }) => action !== 'none').map(({ provider }) => provider))
  return {
    mode,
    project: prior.project,
    lineage: prior.lineage,
    serial: prior.serial,
    salt: prior.salt,
    rowsDigest: rowsDigest(prior.rows),
    scope: options.scope,
    changes,
    diagnostics,
    likelyRenames: likelyRenames(changes),
    identities: new Map([...busy].map((provider) => [provider, connections.identity(provider)])),
    clockOffsets: connections.clocks.known,
    digests: digestsOf(resources.values()),
  }
}

function parted(
  rows: ReadonlyMap<Address, Row>,
  isFirst: (address: Address) => boolean,
): readonly [ReadonlyMap<Address, Row>, ReadonlyMap<Address, Row>] {
  const first = [...rows].filter(([address]) => isFirst(address))
  return [new Map(first), new Map([...rows].filter(([address]) => !isFirst(address)))]
}

/** What must come with an address: to be there, what it uses; to be gone, what uses it. */
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

async function decideWrites(facts: PlanningFacts, diagnostics: Diagnostic[]): Promise<readonly Change[]> {
  const { resources, rows, found, hasher, prior, project } = facts
  const values = new KnownOutputs(project.variables, prior.rows)
  for (const [address, row] of rows) if (row.id !== null) values.set(address, { ...row.outputs, id: row.id })
  const changes = new Map<Address, Change>()
  for (const [address, resource] of resources) {
    try {
      const known = { row: rows.get(address), movedFrom: facts.movedFrom.get(address), found: found.get(address) }
      const isLeftBehind = facts.elsewhere.has(resource.provider)
      const isStillWaiting = facts.waiting.has(address)
      const decided = await decide({ resource, ...known, values, hasher, isLeftBehind, isStillWaiting })
      const decision = {
        ...decided,
        notes: [...decided.notes, ...standInNotes(decided, facts.connections.provider(decided.provider))],
      }
      moveOutputs(values, decision)
      const after = [...resource.dependencies].filter((other) => (changes.get(other)?.action ?? 'none') !== 'none')
      changes.set(address, { ...decision, after })
    } catch (error) {
      diagnostics.push(...explainFailure(error, address, (text) => project.variables.mask(text)))
    }
  }
  return [...changes.values()]
}

/** Marks as unknown what this change will move, so that dependents wait for the new values. */
function moveOutputs(values: KnownOutputs, { address, action, resource, leaves, id }: Decision): void {
  if (action === 'create' || action === 'replace' || action === 'waiting') values.forget(address)
  if (action === 'verify' && id !== undefined) values.set(address, { id })
  const moves = resource?.handler.moves
  const partsBranch = resource?.handler.parts?.name
  const touchesObject = leaves.some(({ path }) => partsBranch === undefined || !path.startsWith(`${partsBranch}/`))
  if (action === 'update' && moves && touchesObject) values.forget(address, moves)
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

/** Rows to read: those in scope, and the objects that external references point at. */
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

function kindOf(address: Address): [provider: string, kind: string] {
  const { provider, kind } = parseAddress(address)
  return [provider, kind]
}
