// The `scope` of a document token, parsed once: capabilities, the special strings, and collaboration scopes.
import {
  type Capability,
  everyUsualCapability,
  isCapability,
  permittedBy,
  specialScopes,
  withImplied,
} from '../../workers/contract/capabilities.js'
import type { OpNeeds } from '../../workers/contract/ops/op-contract.js'
import { type CollabScope, collabString, parseCollabScope, someScopeNames } from './collab.js'

export interface DocumentScope {
  readonly isEverything: boolean
  readonly followsPdf: boolean
  readonly capabilities: readonly Capability[]
  readonly collab: readonly CollabScope[]
}

/** Returns the parsed scopes, or the first string that is not a scope, for the error message. */
export function parseDocumentScope(strings: readonly string[]): DocumentScope | { readonly unknown: string } {
  const held: Capability[] = []
  const collab: CollabScope[] = []
  for (const text of strings) {
    if (specialScopes.some((special) => special === text)) continue
    const parsed = isCapability(text) ? undefined : parseCollabScope(text)
    if (isCapability(text)) held.push(text)
    else if (parsed) collab.push(parsed)
    else return { unknown: text }
  }
  return {
    isEverything: strings.includes('*'),
    followsPdf: strings.includes('pdf.permissions'),
    capabilities: held,
    collab,
  }
}

/** Returns the strings of the scope. */
export const scopeStrings = ({
  isEverything,
  followsPdf,
  capabilities: held,
  collab,
}: DocumentScope): readonly string[] => [
  ...(isEverything ? ['*'] : []),
  ...(followsPdf ? ['pdf.permissions'] : []),
  ...held,
  ...collab.map(collabString),
]

/** Returns every capability that the scope gives on a document with these permission bits, in alphabetical order. */
export function allCapabilities(scope: DocumentScope, permissionBits: number | null): readonly Capability[] {
  return [...effectiveCapabilities(scope, permissionBits)].toSorted()
}

/** True if the scope contains the capability on a document with these permission bits (null = not encrypted). */
export function holds(scope: DocumentScope, capability: Capability, permissionBits: number | null): boolean {
  return effectiveCapabilities(scope, permissionBits).has(capability)
}

/** True if the scope lets its holder apply the op to something: to all that it names, or to the annotations of some. */
export function meets(
  scope: DocumentScope,
  { capabilities: needed, collab, besides = [] }: OpNeeds,
  permissionBits: number | null,
): boolean {
  const has = (capability: Capability) => holds(scope, capability, permissionBits)
  const isOfScopes = collab !== undefined && someScopeNames(scope.collab, collab)
  return besides.every(has) && (isOfScopes || needed.every(has))
}

function effectiveCapabilities(scope: DocumentScope, permissionBits: number | null): ReadonlySet<Capability> {
  return withImplied([
    ...scope.capabilities,
    ...(scope.isEverything ? everyUsualCapability : []),
    ...(scope.followsPdf ? permittedBy(permissionBits) : []),
    ...(scope.collab.length > 0 ? (['doc.annotate.read'] as const) : []),
  ])
}
