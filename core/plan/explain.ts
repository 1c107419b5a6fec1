// Converts failures of calls into diagnostics with the operation, the provider's message and a fix.
import { type Diagnostic, Problem } from '../diagnostic.js'
import { ApiFailure, type FailureClass, type Obstacle } from '../plugin/failure.js'
import { diagnostic, type EngineCode } from '../problems/index.js'
import type { Address } from '../value/address.js'

const codes: Readonly<Record<FailureClass, EngineCode>> = {
  retry: 'provider.unavailable',
  gone: 'provider.gone',
  nameTaken: 'provider.name-taken',
  stale: 'provider.changed-meanwhile',
  inUse: 'provider.in-use',
  denied: 'provider.denied',
  invalid: 'provider.invalid',
  unexpected: 'provider.unexpected-answer',
}

const codesOfObstacles: Readonly<Record<Obstacle, EngineCode>> = {
  certificate: 'provider.certificate',
  hostUnknown: 'provider.host-unknown',
  proxy: 'provider.proxy',
  tooLarge: 'provider.too-large',
  blocked: 'provider.blocked',
  endlessList: 'provider.endless-list',
}

/** Returns the diagnostics of an error that was thrown while working on an address. Rethrows bugs. */
export function explainFailure(
  error: unknown,
  address: Address,
  mask: (text: string) => string,
): readonly Diagnostic[] {
  if (error instanceof Problem) return error.diagnostics.map((found) => ({ address, ...found }))
  if (!(error instanceof ApiFailure)) throw error
  const status = [error.status ? `HTTP ${error.status}` : undefined, error.code].filter(Boolean).join(' ')
  const requestId = error.requestId ? ` (request ${error.requestId})` : ''
  const detail = mask(`${error.operation}${status ? `: ${status}` : ''}: ${error.message}${requestId}`)
  const code = error.obstacle === undefined ? codes[error.class] : codesOfObstacles[error.obstacle]
  return [diagnostic(code, { detail, address })]
}
