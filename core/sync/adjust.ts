// Changes existing declarations to what the provider holds, touching only the fields that matter.
import type { Declaration, Project } from '../declaration/declaration.js'
import { buildResource } from '../graph/resource.js'
import { compare } from '../plan/compare.js'
import type { LeafHasher } from '../plan/hasher.js'
import { type ObservedPart, present } from '../plan/observation.js'
import type { KnownOutputs } from '../plan/outputs.js'
import type { Registry } from '../plugin/registry.js'
import type { Row } from '../state/row.js'
import { canonical, type Json, type JsonObject } from '../value/tree.js'
import type { Discovered } from './discover.js'
import type { Said } from './say.js'
import { asLoaded } from './written-text.js'

export interface AdjustRequest {
  readonly project: Project
  readonly registry: Registry
  readonly projectName: string
  readonly rows: ReadonlyMap<string, Row>
  readonly values: KnownOutputs
  readonly hasher: LeafHasher
}

export interface Adjustment {
  readonly kind: string
  readonly name: string
  readonly field: string
  /** Undefined removes the field. */
  readonly value: Json | undefined
}

/** The fields of one declaration that must change so that a plan has nothing to do for this object. */
export async function adjust(request: AdjustRequest, { object, name, body }: Said): Promise<readonly Adjustment[]> {
  const declaration = request.project.find(object.kind, name)
  if (!declaration) return []
  let current = declaration.body
  let left = await differences(request, object, { ...declaration, body: current })
  const adjustments: Adjustment[] = []
  for (const field of new Set([...Object.keys(body), ...Object.keys(current)])) {
    if (left === 0) break
    const said = asLoaded(body[field] ?? null)
    if (field === 'provider' || canonical(said) === canonical(current[field] ?? null)) continue
    const { [field]: _replaced, ...rest } = current
    const candidate: JsonObject = body[field] === undefined ? rest : { ...rest, [field]: said }
    const after = await differences(request, object, { ...declaration, body: candidate })
    if (after >= left) continue
    current = candidate
    left = after
    adjustments.push({ kind: object.kind, name, field, value: body[field] })
  }
  return adjustments
}

/** How many leaves a plan would change. A body that cannot even be mapped differs in everything. */
async function differences(request: AdjustRequest, object: Discovered, declaration: Declaration): Promise<number> {
  const { handler, provider, api } = object
  const address = `${provider}.${declaration.kind}.${declaration.name}`
  const { project, registry, projectName, rows, values, hasher } = request
  try {
    const resource = buildResource({
      request: { project, registry, projectName, rows, targets: ({ providers }) => providers.names },
      providerName: provider,
      declaration,
      address,
      api,
      handler,
      removeAfter: [],
    })
    const found = present(handler, object.object.id, object.object.remote, partsOf(object))
    const partPolicy = handler.parts?.policy(declaration) ?? 'own'
    const row = rows.get(address)
    const parts = Object.fromEntries([...found.parts].map(([key, { id }]) => [key, id]))
    const bound = row ?? { id: object.object.id, form: handler.form, leaves: {}, parts }
    return (await compare({ handler, desired: resource.desired, row: bound, found, partPolicy, values, hasher }))
      .changes.length
  } catch {
    return Number.POSITIVE_INFINITY // The candidate is not a body this handler can map, so it is not taken.
  }
}

export function partsOf({ handler, object }: Discovered): ReadonlyMap<string, ObservedPart> {
  const { parts } = handler
  if (!parts) return new Map()
  return new Map(
    [...object.parts].map(([key, remote]) => [key, { id: parts.id(remote), remote, tree: parts.observed(remote) }]),
  )
}
