// Finds names of objects that no list contains (uploads, tunnels): those in state that agents.yaml declares, and those
// that agents.yaml refers to by id.
import type { Project } from '../plugin/declaration.js'
import type { Registry } from '../plugin/registry.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { externalIds } from './discover.js'

/** Returns the names of objects by `provider kind id`. */
export function unlistedNames(
  rows: ReadonlyMap<Address, Row>,
  { project, registry }: { readonly project: Project; readonly registry: Registry },
): ReadonlyMap<string, string> {
  const external = externalIds({ project, registry })
  const names = new Map([...external].map(([key, address]) => [key, parseAddress(address).name]))
  for (const [address, { id }] of rows) {
    const { provider, kind, name } = parseAddress(address)
    const handlers = registry.provider(provider)?.handlers ?? []
    const isListed = handlers.some((handler) => handler.kind === kind && handler.list && handler.declare)
    const isDeclared = project.find(kind, name)?.providers.names.includes(provider) ?? false
    if (id !== null && isDeclared && !isListed) names.set(`${provider} ${kind} ${id}`, name)
  }
  return names
}
