// The scope of a run: the providers and the rows that it may read and change.

import type { Diagnostic } from '../diagnostic.js'
import type { Declaration, Project } from '../plugin/declaration.js'
import type { Registry } from '../plugin/registry.js'
import { diagnostic, problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { type Address, namesAddress, nearestAddress, parseAddress } from '../value/address.js'
import { closest } from '../value/suggestions.js'
import type { ScopeRequest } from './plan.js'

export interface ProviderScope {
  /** Returns the providers a declaration goes to in this run. */
  targets(declaration: Declaration): readonly string[]
  readonly rows: ReadonlyMap<Address, Row>
  readonly notes: readonly Diagnostic[]
}

export function scopeOf(
  project: Project,
  registry: Registry,
  request: ScopeRequest,
  rows: ReadonlyMap<Address, Row>,
): ProviderScope {
  const declared = [...project.providers.keys()]
  const selected = request.providers.length === 0 ? undefined : selectedProviders(registry, declared, request.providers)
  const defaults = selected ?? defaultProviders(project, declared)
  const targets = ({ providers }: Declaration) =>
    providers.by === 'pin' ? providers.names.filter((name) => selected?.includes(name) ?? true) : defaults

  const inside = new Map<Address, Row>()
  const outside = new Map<string, number>()
  for (const [address, row] of rows) {
    const { provider } = parseAddress(address)
    const isDeclared = declared.includes(provider)
    const isInside = selected
      ? selected.includes(provider)
      : !isDeclared || row.target === 'pin' || defaults.includes(provider)
    if (isInside) inside.set(address, row)
    else outside.set(provider, (outside.get(provider) ?? 0) + 1)
  }
  const notes = [...outside].map(
    ([provider, count]): Diagnostic =>
      diagnostic('plan.outside-target', {
        detail: `${count} ${count === 1 ? 'resource' : 'resources'} on ${provider} ${count === 1 ? 'is' : 'are'} outside the target of this run.`,
        fix: `Add --provider ${provider} to include ${count === 1 ? 'it' : 'them'}.`,
      }),
  )
  return { targets, rows: inside, notes }
}

function defaultProviders(project: Project, declared: readonly string[]): readonly string[] {
  const { provider } = project.defaults
  if (provider === 'all') return declared
  if (provider !== undefined) return [provider]
  return declared.length === 1 ? declared : []
}

/** Returns the declared providers that an option names. */
export function selectedProviders(
  registry: Registry,
  declared: readonly string[],
  written: readonly string[],
  option = '--provider',
): readonly string[] {
  if (written.includes('all')) return declared
  return written.map((name) => {
    const canonical = registry.provider(name)?.name ?? name
    if (declared.includes(canonical)) return canonical
    const near = closest(name, declared)
    throw problem('plan.unknown-provider', {
      detail: `agents.yaml has no providers.${name}; it declares ${declared.join(', ')}.`,
      fix:
        near === undefined
          ? `Add a providers.${name} block, or name a declared one.`
          : `Did you mean ${option} ${near}?`,
    })
  })
}

/**
 * Returns the addresses selected by `--target` (with those they need) and not by `--exclude` (with those that need
 * them).
 */
export function selectAddresses(
  all: ReadonlySet<Address>,
  needs: (address: Address) => Iterable<Address>,
  { targets, excludes }: ScopeRequest,
): ReadonlySet<Address> {
  const named = (written: string) => {
    const found = [...all].filter((address) => namesAddress(written, address))
    if (found.length > 0) return found
    const near = nearestAddress(written, all)
    throw problem('plan.unknown-address', {
      detail: `${written} is neither declared nor in state.`,
      fix: near === undefined ? 'See "agents state list" and agents.yaml.' : `Did you mean ${near}?`,
    })
  }
  const selected = targets.length === 0 ? new Set(all) : closure(targets.flatMap(named), needs)
  if (excludes.length === 0) return selected
  const dependents = new Map<Address, Address[]>()
  for (const address of all)
    for (const other of needs(address)) dependents.set(other, [...(dependents.get(other) ?? []), address])
  for (const address of closure(excludes.flatMap(named), (other) => dependents.get(other) ?? []))
    selected.delete(address)
  return selected
}

function closure(roots: readonly Address[], next: (address: Address) => Iterable<Address>): Set<Address> {
  const reached = new Set<Address>()
  const open = [...roots]
  for (let address = open.pop(); address !== undefined; address = open.pop()) {
    if (reached.has(address)) continue
    reached.add(address)
    open.push(...next(address))
  }
  return reached
}
