// Determines how a provider supports a kind, and which handler implements it.
import type { Capability } from './capability.js'
import type { Handler } from './handler.js'
import type { Provider } from './provider.js'

/** Returns the handler; undefined if the provider lacks the kind, which the declaration stage has reported. */
export function handlerFor({ handlers }: Provider, kind: string, api: string): Handler | undefined {
  return handlers.find((known) => known.kind === kind && (known.api ?? api) === api)
}

/** Returns one row for each handler of the kind, or one `unsupported` row if there is none. */
export function capabilitiesOf({ handlers, missing = [] }: Provider, kind: string): readonly Capability[] {
  const rows = handlers.filter((handler) => handler.kind === kind).map(capabilityBy)
  return rows.length > 0 ? rows : [{ kind, support: 'unsupported', ...missing.find((row) => row.kind === kind) }]
}

/** Returns the capability in that API, or the most similar one. */
export function capabilityOf(provider: Provider, kind: string, api: string): Capability {
  const rows = capabilitiesOf(provider, kind)
  const found = rows.find((row) => row.api === api) ?? rows.find((row) => row.api === undefined) ?? rows[0]
  if (!found) throw new Error(`${provider.name}: no capability of ${kind}`)
  return found
}

function capabilityBy({ kind, api, support: { level = 'native', ...support } = {} }: Handler): Capability {
  return { kind, support: level, ...(api === undefined ? {} : { api }), ...support }
}
