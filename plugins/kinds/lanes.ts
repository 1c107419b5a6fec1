// The lanes that agents.yaml uses: a provider, or one API of a provider with several.
import { capabilitiesOf } from '../../core/plugin/capabilities.js'
import type { Capability } from '../../core/plugin/capability.js'
import type { Provider } from '../../core/plugin/provider.js'
import type { JsonObject } from '../../core/value/tree.js'

export interface Lane {
  readonly provider: Provider
  readonly api: string | undefined
  /** Display name: `qoder forward`. */
  readonly name: string
}

export function lanesOf(providers: readonly Provider[]): readonly Lane[] {
  return providers.flatMap((provider): readonly Lane[] => {
    const apis = new Set(provider.handlers.flatMap(({ api, support }) => api ?? support?.api ?? []))
    if (apis.size === 0) return [{ provider, api: undefined, name: provider.name }]
    return [...apis].map((api) => ({ provider, api, name: `${provider.name} ${api}` }))
  })
}

/** Returns the lane's support of the kind; undefined if it has none. */
export function capabilityIn({ provider, api }: Lane, kind: string): Capability | undefined {
  const rows = capabilitiesOf(provider, kind).filter(({ support }) => support !== 'unsupported')
  return rows.find((row) => row.api === api) ?? rows.find((row) => row.api === undefined)
}

/** Returns the body as declared for this lane: agents select their API themselves, other kinds follow them. */
export function bodyIn({ provider, api }: Lane, kind: string, body: JsonObject): JsonObject {
  if (kind !== 'agent' || api === undefined || body['delivery'] !== undefined) return body
  return { ...body, delivery: { [provider.name]: { type: api } } }
}
