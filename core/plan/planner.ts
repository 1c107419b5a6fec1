// Makes a plan from project, state and providers, phase by phase. It only reads.
import type { Project } from '../plugin/declaration.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { checkAccess, checkUnrecorded } from './check-access.js'
import { clockNotes } from './clock-notes.js'
import { type DecidedChanges, decideWrites } from './decide-writes.js'
import { digestsOf } from './digests.js'
import { type PlanningFacts, type PriorState, rowsDigest } from './facts.js'
import type { LeafHasher } from './hasher.js'
import type { PlanOptions } from './options.js'
import { missingOutside } from './outside.js'
import type { Plan } from './plan.js'
import { Findings, type PlanningRun, planningRun } from './planning-run.js'
import { type Reading, read } from './read.js'
import { decideRefresh } from './refresh-only.js'
import { decideRemovals } from './removals.js'
import { likelyRenames } from './renames.js'
import { type Selection, select } from './select.js'
import { findWaiting } from './waiting.js'
import { warmHasher } from './warm.js'

/** Makes the plan. Throws `Problem` with all errors; the plan contains notes and warnings only. */
export async function makePlan(prior: PriorState, hasher: LeafHasher, options: PlanOptions): Promise<Plan> {
  const run = planningRun(prior, hasher, options)
  const findings = new Findings()
  const selection = findings.resultOf(await select(run))
  findings.resultOf(checkAccess(run, selection))
  findings.resultOf(await checkUnrecorded(run, selection))
  const reading = findings.resultOf(await read(run, selection))
  const decided = findings.resultOf(await decideChanges(run, selection, reading))
  return planOf(run, selection, { ...decided, diagnostics: findings.all })
}

async function decideChanges(run: PlanningRun, selection: Selection, reading: Reading): Promise<DecidedChanges> {
  const { hasher, connections, options } = run
  const clocks = clockNotes(connections.clocks.known)
  const waiting = await findWaiting(selection.resources, reading.reachable, run)
  const facts = planningFacts(run, { selection, reading, waiting: waiting.waiting })
  await warmHasher(hasher, selection.resources.values(), options.project.variables)
  const decided = options.mode === 'refresh' ? await refreshOnly(facts) : await writesAndRemovals(facts)
  return { ...decided, diagnostics: [...clocks, ...waiting.diagnostics, ...decided.diagnostics] }
}

interface FactsRequest {
  readonly selection: Selection
  readonly reading: Reading
  readonly waiting: PlanningFacts['waiting']
}

function planningFacts(run: PlanningRun, { selection, reading, waiting }: FactsRequest): PlanningFacts {
  const { prior, hasher, connections, options } = run
  const { resources, movedFrom } = selection
  const { found, elsewhere, takenOver } = reading
  const rows = new Map([...reading.reachable, ...reading.unreachable])
  return { ...options, hasher, prior, connections, resources, rows, movedFrom, found, elsewhere, takenOver, waiting }
}

async function refreshOnly(facts: PlanningFacts): Promise<DecidedChanges> {
  return { changes: await decideRefresh(facts), diagnostics: [] }
}

async function writesAndRemovals(facts: PlanningFacts): Promise<DecidedChanges> {
  const writes = await decideWrites(facts)
  const outside = facts.mode === 'apply' ? await missingOutside(facts, writes.changes) : []
  const removals = decideRemovals(facts, writes.changes)
  return {
    changes: [...writes.changes, ...removals.changes],
    diagnostics: [...writes.diagnostics, ...outside, ...removals.diagnostics],
  }
}

/** Returns the rows of objects that exist and are no longer declared. */
function orphansAmong(rows: ReadonlyMap<Address, Row>, project: Project): readonly (readonly [Address, Row])[] {
  return [...rows].filter(([address, { id, ownership }]) => {
    const { provider, kind, name } = parseAddress(address)
    const isDeclared = project.find(kind, name)?.providers.names.includes(provider) ?? false
    return id !== null && ownership !== 'external' && !isDeclared
  })
}

function planOf(
  { prior, options, connections }: PlanningRun,
  { resources }: Selection,
  { changes, diagnostics }: DecidedChanges,
): Plan {
  const changingProviders = new Set(changes.filter(({ action }) => action !== 'none').map(({ provider }) => provider))
  return {
    mode: options.mode,
    project: prior.project,
    lineage: prior.lineage,
    serial: prior.serial,
    salt: prior.salt,
    rowsDigest: rowsDigest(prior.rows),
    scope: options.scope,
    changes,
    names: new Map([...prior.rows].flatMap(([address, { id }]) => (id === null ? [] : [[id, address] as const]))),
    diagnostics,
    likelyRenames: options.mode === 'apply' ? likelyRenames(changes, orphansAmong(prior.rows, options.project)) : [],
    identities: new Map([...changingProviders].map((provider) => [provider, connections.identity(provider)])),
    clockOffsets: connections.clocks.known,
    digests: digestsOf(resources.values()),
  }
}
