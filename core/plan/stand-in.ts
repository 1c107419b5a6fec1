// Marks changes that an apply would only record, because the provider lacks such objects or does not return them.
import type { Diagnostic } from '../diagnostic.js'
import { capabilityOf } from '../plugin/capabilities.js'
import type { Provider } from '../plugin/provider.js'
import { diagnostic } from '../problems/index.js'
import type { Decision } from './decide.js'

export function standInNotes({ address, kind, action, resource }: Decision, provider: Provider): readonly Diagnostic[] {
  if (action === 'verify' && resource?.handler.isStateOnly)
    return [
      diagnostic('plan.unverifiable', {
        address,
        detail: `${provider.title} has no call that shows ${kind}s: the id is recorded, and only its use can show whether it is right.`,
      }),
    ]
  const capability = capabilityOf(provider, kind, resource?.api ?? '')
  if (action === 'none' || capability.support !== 'emulated') return []
  const { reason, instead } = capability
  return [
    diagnostic('plan.emulated', {
      address,
      detail: `${provider.title} has no ${kind}s: ${reason ?? 'agents emulates them'}.`,
      ...(instead === undefined ? {} : { fix: `${instead.charAt(0).toUpperCase()}${instead.slice(1)}.` }),
    }),
  ]
}
