// Checks inner objects, which a service does not list at the top level, through the provider's own handlers.
import assert from 'node:assert/strict'
import { Connections } from '../plan/connections.js'
import type { EngineOptions } from '../plan/options.js'
import type { Row } from '../state/row.js'
import { parseAddress } from '../value/address.js'

/** Rejects unless every recorded part exists and, where the declaration owns all parts, no other part does. */
export async function expectParts(engine: EngineOptions, rows: ReadonlyMap<string, Row>): Promise<void> {
  const connections = new Connections(engine)
  for (const [address, row] of rows) {
    const { provider, kind, name } = parseAddress(address)
    const { parts } = connections.handler(provider, kind, row.api)
    const declaration = engine.project.find(kind, name)
    if (!parts || !declaration || row.id === null) continue
    const found: string[] = []
    for await (const remote of parts.list(connections.call(provider, new AbortController().signal), row.id))
      if (!parts.isGone?.(remote)) found.push(`${parts.key(remote)} ${parts.id(remote)}`)
    const ours = Object.entries(row.parts ?? {}).map(([key, id]) => `${key} ${id}`)
    const lost = ours.filter((part) => !found.includes(part))
    assert.deepEqual(lost, [], `${address}: every recorded part of ${parts.name} exists`)
    if (parts.policy(declaration) === 'own')
      assert.deepEqual(found.sort(), ours.sort(), `${address}: no other part of ${parts.name} exists`)
  }
}
