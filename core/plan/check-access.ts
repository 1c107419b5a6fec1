// Second phase of planning: checks that the run may use the accounts that it would reach for the selected resources.
import type { Resource } from '../graph/resource.js'
import { buildResources } from '../graph/resources.js'
import { type Address, parseAddress } from '../value/address.js'
import { guardAccounts, warnOfPlainHttp } from './guard.js'
import type { PlanningRun, Reported } from './planning-run.js'
import { scopeOf } from './scope.js'
import type { Selection } from './select.js'
import { stateRuleDiagnostics } from './state-rules.js'
import { findUnrecorded } from './unrecorded.js'

/** Checks rules over state, recorded accounts and addresses of the providers. */
export function checkAccess(
  { prior, options, connections, recreate }: PlanningRun,
  { resources, rows }: Selection,
): Reported {
  const touched = new Set([...rows.keys(), ...resources.keys()].map((address) => parseAddress(address).provider))
  const guarded = [...touched].filter((provider) => !recreate.includes(provider))
  return {
    diagnostics: [
      ...stateRuleDiagnostics(resources, rows, options),
      ...guardAccounts(guarded, prior, connections),
      ...warnOfPlainHttp(touched, connections),
    ],
  }
}

/**
 * Reports objects of this project that are missing in state. An apply would create them again; a destroy or a
 * comparison would overlook them, but search for them only if state was never written.
 */
export async function checkUnrecorded(run: PlanningRun, selection: Selection): Promise<Reported> {
  const { prior, options, connections, recreate, signal, mask } = run
  const { mode } = options
  if (mode !== 'apply' && prior.serial > 0) return { diagnostics: [] }
  const { project: projectName, rows } = prior
  const resources = mode === 'destroy' ? declaredBefore(run) : selection.resources
  return {
    diagnostics: await findUnrecorded({
      resources,
      rows,
      projectName,
      project: options.project,
      recreate,
      connections,
      signal,
      mask,
      mode,
    }),
  }
}

/** Returns the declared resources of a destroy, which selects none of them. */
function declaredBefore({ prior, options }: PlanningRun): ReadonlyMap<Address, Resource> {
  const { project, registry, scope } = options
  const { targets } = scopeOf(project, registry, scope, prior.rows)
  return buildResources({ project, registry, projectName: prior.project, rows: prior.rows, targets }).all
}
