// Second phase of planning: whether this run may work on the selected resources, with the accounts that it would reach.
import { parseAddress } from '../value/address.js'
import { guardAccounts, warnOfPlainHttp } from './guard.js'
import type { PlanningRun, Reported } from './planning-run.js'
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

/** Reports objects of this project that state does not know. An apply would create them a second time. */
export async function checkUnrecorded(run: PlanningRun, { resources }: Selection): Promise<Reported> {
  const { prior, options, connections, recreate, signal, mask } = run
  if (options.mode !== 'apply') return { diagnostics: [] }
  const { project: projectName, rows } = prior
  return {
    diagnostics: await findUnrecorded({ resources, rows, projectName, recreate, connections, signal, mask }),
  }
}
