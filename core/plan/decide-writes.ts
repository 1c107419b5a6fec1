// What to create, update, replace or verify, in dependency order, so that each change sees what earlier ones move.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { Address } from '../value/address.js'
import { type Decision, decide } from './decide.js'
import { explainFailure } from './explain.js'
import type { PlanningFacts } from './facts.js'
import { KnownOutputs } from './outputs.js'
import type { Change } from './plan.js'
import type { Reported } from './planning-run.js'
import { standInNotes } from './stand-in.js'

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
      const decision = await decideOne(facts, resource, values)
      moveOutputs(values, decision)
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
  return { ...decided, notes: [...decided.notes, ...standInNotes(decided, connections.provider(decided.provider))] }
}

/** Marks outputs that this change will move as unknown, so that dependents wait for the new values. */
function moveOutputs(values: KnownOutputs, { address, action, resource, leaves, id }: Decision): void {
  if (action === 'create' || action === 'replace' || action === 'waiting') values.forget(address)
  if (action === 'verify' && id !== undefined) values.set(address, { id })
  const moves = resource?.handler.moves
  const partsBranch = resource?.handler.parts?.name
  const touchesObject = leaves.some(({ path }) => partsBranch === undefined || !path.startsWith(`${partsBranch}/`))
  if (action === 'update' && moves && touchesObject) values.forget(address, moves)
}
