// Failures of calls as diagnostics: what was tried, what the provider said, what to do.
import { type Diagnostic, Problem } from '../diagnostic.js'
import type { Address } from '../graph/address.js'
import { ApiFailure, type FailureClass } from '../plugin/failure.js'

const advice: Readonly<
  Record<FailureClass, { readonly code: string; readonly summary: string; readonly fix: string }>
> = {
  retry: {
    code: 'provider.unavailable',
    summary: 'The provider did not answer properly in time',
    fix: 'Run the command again; everything that was done is recorded.',
  },
  gone: {
    code: 'provider.gone',
    summary: 'The object does not exist',
    fix: 'Run "agents plan" to see what is left.',
  },
  nameTaken: {
    code: 'provider.name-taken',
    summary: 'Another object has this name already',
    fix: 'Rename one of them, or bind the existing object with "agents import ADDRESS ID".',
  },
  stale: {
    code: 'provider.changed-meanwhile',
    summary: 'The object changed while it was being updated',
    fix: 'Run "agents plan" to see the change, then apply again.',
  },
  inUse: {
    code: 'provider.in-use',
    summary: 'Something else still uses the object',
    fix: 'End what uses it, then run the command again ("agents destroy --cascade" ends sessions).',
  },
  denied: {
    code: 'provider.denied',
    summary: 'The provider refused the credentials',
    fix: 'Check the key under providers in agents.yaml, and what it is allowed to do.',
  },
  invalid: {
    code: 'provider.invalid',
    summary: 'The provider refused the request',
    fix: 'Change the declaration as the message says.',
  },
}

/** Diagnostics for anything thrown while working on an address. A bug is thrown on: it is not the user's mistake. */
export function explainFailure(
  error: unknown,
  address: Address,
  mask: (text: string) => string,
): readonly Diagnostic[] {
  if (error instanceof Problem) return error.diagnostics.map((found) => ({ address, ...found }))
  if (!(error instanceof ApiFailure)) throw error
  const { code, summary, fix } = advice[error.class]
  const told = [error.status ? `HTTP ${error.status}` : undefined, error.code].filter(Boolean).join(' ')
  const request = error.requestId ? ` (request ${error.requestId})` : ''
  return [
    {
      code,
      severity: 'error',
      summary,
      detail: mask(`${error.operation}${told ? `: ${told}` : ''}: ${error.message}${request}`),
      fix,
      address,
    },
  ]
}
