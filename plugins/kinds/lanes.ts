// The lanes that agents.yaml leads to: a provider, or one of the APIs of a provider that has several.
import type { Capability, Provider } from '../../core/plugin/provider.js'
import type { JsonObject } from '../../core/value/tree.js'

export interface Lane {
  readonly provider: Provider
  readonly api: string | undefined
  /** `qoder forward` */
  readonly name: string
}

export function lanesOf(providers: readonly Provider[]): readonly Lane[] {
  return providers.flatMap((provider): readonly Lane[] => {
    const apis = new Set(provider.capabilities.flatMap(({ api }) => api ?? []))
    if (apis.size === 0) return [{ provider, api: undefined, name: provider.name }]
    return [...apis].map((api) => ({ provider, api, name: `${provider.name} ${api}` }))
  })
}

/** Returns the lane's support of the kind; undefined if it has nothing like it. */
export function capabilityIn({ provider, api }: Lane, kind: string): Capability | undefined {
  const rows = provider.capabilities.filter((row) => row.kind === kind && row.support !== 'unsupported')
  return rows.find((row) => row.api === api) ?? rows.find((row) => row.api === undefined)
}

/** The body as it is written for this lane: agents choose their API themselves, the others follow them. */
export function bodyIn({ provider, api }: Lane, kind: string, body: JsonObject): JsonObject {
  if (kind !== 'agent' || api === undefined || body['delivery'] !== undefined) return body
  return { ...body, delivery: { [provider.name]: { type: api } } }
}
