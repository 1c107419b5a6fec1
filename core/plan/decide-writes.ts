// Decides which resources to create, update, replace or verify, in dependency order, so that each decision takes the
// effects of earlier changes into account.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { diagnostic } from '../problems/index.js'
import type { Address } from '../value/address.js'
import { shellWord } from '../value/shell-word.js'
import { labelOf } from './compare.js'
import { type Decision, decide } from './decide.js'
import { explainFailure } from './explain.js'
import type { PlanningFacts } from './facts.js'
import { irreversibleText } from './irreversible.js'
import { KnownOutputs } from './outputs.js'
import type { Change } from './plan.js'
import type { Reported } from './planning-run.js'
import { standInNotes } from './stand-in.js'
import { isUnchanged } from './unchanged.js'

export interface DecidedChanges extends Reported {
  readonly changes: readonly Change[]
}

export async function decideWrites(facts: PlanningFacts): Promise<DecidedChanges> {
  const { resources, rows, prior, project } = facts
  const values = new KnownOutputs(project.variables, prior.rows)
  for (const [address, row] of rows) if (row.id !== null) values.set(address, { ...row.outputs, id: row.id })
  const changes = new Map<Address, Change>()
  const diagnostics: Diagnostic[] = []
  for (const [address, resource] of resources) {
    try {
      const decision = await withCurrentOutputs(facts, await decideOne(facts, resource, values))
      if (decision.action === 'none' && decision.row?.id)
        values.set(address, { ...decision.row.outputs, id: decision.row.id })
      moveOutputs(values, decision)
      diagnostics.push(...notTakenBefore(decision), ...paused(decision))
      const after = [...resource.dependencies].filter((other) => (changes.get(other)?.action ?? 'none') !== 'none')
      changes.set(address, { ...decision, after })
    } catch (error) {
      diagnostics.push(...explainFailure(error, address, (text) => project.variables.mask(text)))
    }
  }
  return { changes: [...changes.values()], diagnostics }
}

async function decideOne(facts: PlanningFacts, resource: Resource, values: KnownOutputs): Promise<Decision> {
  const { address } = resource
  const { hasher, connections } = facts
  const decided = await decide({
    resource,
    row: facts.rows.get(address),
    movedFrom: facts.movedFrom.get(address),
    found: facts.found.get(address),
    values,
    hasher,
    isLeftBehind: facts.elsewhere.has(resource.provider),
    isStillWaiting: facts.waiting.has(address),
  })
  const notes = [...decided.notes, ...standInNotes(decided, connections.provider(decided.provider))]
  return { ...decided, notes, ...lostByReplacing(facts, decided) }
}

/** A replacement loses what only the replaced object holds. */
function lostByReplacing(
  { registry }: PlanningFacts,
  { action, kind, resource, found }: Decision,
): Pick<Change, 'irreversible'> {
  const holds = registry.kinds.get(kind)?.holds
  if (action !== 'replace' || holds === undefined || resource === undefined || found?.type !== 'present') return {}
  const irreversible = irreversibleText(resource.handler, holds)
  return irreversible === undefined ? {} : { irreversible: `the replaced one is ${irreversible}` }
}

/** Reports an object that is as declared and does nothing. */
function paused({ address, provider, kind, name, action, resource, found }: Decision): readonly Diagnostic[] {
  const isReplaced = action === 'create' || action === 'replace'
  if (isReplaced || found?.type !== 'present' || resource?.handler.isPaused?.(found.remote) !== true) return []
  return [
    diagnostic('plan.paused', {
      address,
      detail: `${address} is paused at ${provider}: its schedule starts no runs.`,
      fix: `If it should run: agents ${kind} resume ${shellWord(name)}`,
    }),
  ]
}

/**
 * Reports members of an unchanged resource that the provider did not apply: they differ from the declaration, but
 * another update would not change that.
 */
function notTakenBefore({ address, provider, action, resource, row }: Decision): readonly Diagnostic[] {
  const paths = action === 'none' ? (row?.notTaken ?? []) : []
  if (resource === undefined || paths.length === 0) return []
  const labels = [...new Set(paths.map((path) => labelOf(resource.handler, path)))].join(', ')
  return [
    diagnostic('plan.not-taken', { address, detail: `${provider} has another value since the last apply: ${labels}.` }),
  ]
}

/**
 * Returns the decision with the outputs that the object has now, if it is as declared but not as recorded: after a
 * sync, or with an older state. Otherwise dependents would be set back to the version in state.
 */
async function withCurrentOutputs({ hasher }: PlanningFacts, decision: Decision): Promise<Decision> {
  const { action, resource, row, found } = decision
  const { moves = [] } = resource?.handler ?? {}
  if (action !== 'none' || !resource || !row || found?.type !== 'present' || moves.length === 0) return decision
  const moved = Object.entries(resource.handler.outputs(found.remote)).filter(
    ([name, value]) => moves.includes(name) && value !== row.outputs?.[name],
  )
  if (moved.length === 0 || (await isUnchanged(hasher, resource.handler, row, found))) return decision
  return { ...decision, row: { ...row, outputs: { ...row.outputs, ...Object.fromEntries(moved) } } }
}

/** Marks outputs that this change will replace as unknown, so that dependents wait for the new values. */
function moveOutputs(values: KnownOutputs, { address, action, resource, leaves, id }: Decision): void {
  if (action === 'create' || action === 'replace' || action === 'waiting') values.forget(address)
  if (action === 'verify' && id !== undefined) values.set(address, { id })
  const moves = resource?.handler.moves
  const partsBranch = resource?.handler.parts?.name
  const touchesObject = leaves.some(({ path }) => partsBranch === undefined || !path.startsWith(`${partsBranch}/`))
  if (action === 'update' && moves && touchesObject) values.forget(address, moves)
}
