// A declaration on one provider as a resource: desired leaves with marks and parts, and its dependencies.

import { declarationLimits } from '../declaration/limits.js'
import { refuseUnset } from '../declaration/unset.js'
import type { Declaration, Project } from '../plugin/declaration.js'
import type { DerivedResource, Handler } from '../plugin/handler.js'
import type { Reference } from '../plugin/kind.js'
import type { Registry } from '../plugin/registry.js'
import type { Scope } from '../plugin/scope.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { type Address, formatAddress } from '../value/address.js'
import { outputPlaceholder, placeholdersIn, withVariables } from '../value/placeholder.js'
import { isObject, type Tree } from '../value/tree.js'
import { refuseVariablesInKeys } from './variable-keys.js'

/** A declaration on one provider, ready to be compared. */
export interface Resource {
  readonly address: Address
  readonly provider: string
  readonly kind: string
  readonly name: string
  readonly api: string
  readonly declaration: Declaration
  readonly handler: Handler
  /** Desired tree with placeholders, ownership marks, and the parts under their branch. */
  readonly desired: Tree
  /** Result of the handler's `follows`, as placeholders. */
  readonly follows: readonly string[]
  /** Remote id of a declaration that only refers to an existing object. */
  readonly externalId?: string
  /** Sorted addresses, and settings in their form, that only sessions of the resource use. Kinds without sessions lack it. */
  readonly sessionUses?: readonly Address[]
  /** Addresses that must be gone before this one is removed. */
  readonly removeAfter: readonly Address[]
  /** Addresses of resources whose outputs it uses, or that must exist first. */
  readonly dependencies: ReadonlySet<Address>
}

/** Keys of the ownership mark, within the metadata of any provider. */
export const marks = { project: 'agents.project', resource: 'agents.resource' } as const

export interface ResourceRequest {
  readonly project: Project
  readonly registry: Registry
  /** Project name that ownership marks carry. */
  readonly projectName: string
  readonly rows: ReadonlyMap<Address, Row>
  /** Returns the providers a declaration goes to in this run. */
  targets(declaration: Declaration): readonly string[]
}

export interface Placement {
  readonly request: ResourceRequest
  readonly providerName: string
  readonly declaration: Declaration
  readonly address: Address
  readonly api: string
  readonly handler: Handler
  /** Addresses that must be gone before this one is removed. */
  readonly removeAfter: readonly Address[]
}

export function buildResource(placement: Placement): Resource {
  const { request, providerName, declaration, address, api, handler, removeAfter } = placement
  const { kind, name } = declaration
  const shared = { address, provider: providerName, kind, name, api, declaration, handler, removeAfter }
  const known = request.registry.kinds.get(kind)
  const externalId = known?.external?.(declaration.body)
  if (externalId !== undefined) {
    refuseUnset(externalId, address)
    return { ...shared, desired: {}, follows: [], externalId, dependencies: new Set() }
  }

  const scope = scopeFor(placement, derivedOf(placement))
  const own = withMarks(placement, handler.desired(declaration, scope))
  const whole = handler.parts ? { ...own, [handler.parts.name]: handler.parts.desired(declaration, scope) } : own
  const references = known?.references(declaration.body, request.project) ?? []
  const inserted = insertedInto(declaration, references, request.project)
  refuseVariablesInKeys(whole, { inserted, body: declaration.body, address })
  // Inserting variables does not change the shape of a tree.
  const desired = withVariables(whole, inserted, declarationLimits.maskedLengthMin) as Tree
  const follows = handler.follows?.(declaration, scope) ?? []
  const used = placeholdersIn([desired, ...follows]).flatMap((found) =>
    found.type === 'output' ? [found.address] : [],
  )
  const named = (wanted: Reference['role']) =>
    references
      .filter(({ role }) => role === wanted)
      .map((reference) => formatAddress({ ...reference, provider: providerName }))
  const dependencies = new Set([...used, ...named('order')].filter((other) => other !== address))
  if (!known?.startsSessions) return { ...shared, desired, follows, dependencies }
  const settings = known.sessionSettings?.(declaration.body) ?? []
  const inSessions = [...named('session'), ...settings.map((one) => formatAddress({ ...one, provider: providerName }))]
  const sessionUses = [...new Set(inSessions)].filter((other) => !dependencies.has(other)).sort()
  return { ...shared, desired, follows, dependencies, sessionUses }
}

/**
 * Returns values of variables by name: those of the declaration, and those of declarations it may take values from (a
 * deployment mounts the files of its agent).
 */
function insertedInto(
  declaration: Declaration,
  references: readonly Reference[],
  project: Project,
): ReadonlyMap<string, string> {
  const others = references.map(({ kind, name }) => project.find(kind, name))
  return new Map([declaration, ...others].flatMap((one) => [...(one?.inserted ?? [])]))
}

/** Returns the resources that follow from the declaration without a declaration of their own. */
export function derivedOf(placement: Placement): readonly DerivedResource[] {
  return placement.handler.derive?.(placement.declaration, scopeFor(placement, [])) ?? []
}

function scopeFor(placement: Placement, derived: readonly DerivedResource[]): Scope {
  const { request, providerName, declaration, address, api } = placement
  const { project } = request
  return {
    provider: providerName,
    api,
    project,
    output(kind, name, output = 'id') {
      refuseUnset(name, address)
      const isDerived = derived.some((one) => one.kind === kind && one.name === name)
      const target = project.find(kind, name)
      if (!isDerived && !(target && request.targets(target).includes(providerName))) {
        throw referenceElsewhere(placement, kind, name, target)
      }
      return outputPlaceholder(formatAddress({ provider: providerName, kind, name }), output)
    },
    source(written) {
      refuseUnset(written, address)
      const found = declaration.sources.get(written)
      if (!found) throw new Error(`${address}: the source ${written} was never read`)
      return found
    },
  }
}

function withMarks({ request, handler, declaration }: Placement, tree: Tree): Tree {
  if (handler.mark === undefined) return tree
  const current = tree[handler.mark]
  const mark = { [marks.project]: request.projectName, [marks.resource]: declaration.name }
  return { ...tree, [handler.mark]: { ...(isObject(current) ? current : {}), ...mark } }
}

function referenceElsewhere(
  { address, providerName }: Placement,
  kind: string,
  name: string,
  target: Declaration | undefined,
): Error {
  const where = target ? `is on ${target.providers.names.join(', ')} in this run` : 'is not declared'
  return problem('graph.reference-elsewhere', {
    address,
    detail: `${address} needs the ${kind} "${name}", which ${where}.`,
    fix: `Target ${providerName} with the ${kind} "${name}" too, or declare one for it.`,
  })
}
