// Which handler serves a kind on a provider, and what to say where none does.

import type { Diagnostic } from '../diagnostic.js'
import { diagnostic } from '../problems/index.js'
import type { Handler } from './handler.js'
import type { Capability, Provider } from './provider.js'

export type ServedKind =
  | { readonly type: 'handler'; readonly handler: Handler }
  /** Nothing to reconcile: unsupported here (told by the declaration stage), or only ever referenced. */
  | { readonly type: 'absent' }
  | { readonly type: 'refused'; readonly diagnostic: Diagnostic }

export function handlerFor(provider: Provider, kind: string, api: string): ServedKind {
  const handler = provider.handlers.find((known) => known.kind === kind && (known.api ?? api) === api)
  if (handler) return { type: 'handler', handler }
  const capability = capabilityOf(provider, kind, api)
  if (!capability || capability.support === 'unsupported' || capability.support === 'reference')
    return { type: 'absent' }
  return {
    type: 'refused',
    diagnostic: diagnostic('plan.kind-not-yet-supported', {
      detail: `${provider.title} has ${kind}s${api ? ` in its ${api} API` : ''}, but this version of agents only checks their declaration and cannot create them.`,
    }),
  }
}

export function capabilityOf(provider: Provider, kind: string, api: string): Capability | undefined {
  const rows = provider.capabilities.filter((row) => row.kind === kind)
  return rows.find((row) => (row.api ?? '') === api) ?? rows.find((row) => row.api === undefined) ?? rows[0]
}
