// Finds the local files from which the uploads that follow from a declaration were made.
import { Problem } from '../diagnostic.js'
import { derivedOf } from '../graph/resource.js'
import { formatAddress } from '../value/address.js'
import { type DifferencesRequest, placementOf } from './differences.js'
import type { Discovered } from './discover.js'

/** Returns paths as agents.yaml writes them, by kind and id. */
export function uploadsOf(
  request: Omit<DifferencesRequest, 'values' | 'hasher'>,
  object: Discovered,
  name: string,
): ReadonlyMap<string, string> {
  const uploads = new Map<string, string>()
  const declaration = request.project.find(object.kind, name)
  if (!declaration?.providers.names.includes(object.provider)) return uploads
  try {
    for (const { kind, name, body } of derivedOf(placementOf(request, object, declaration))) {
      const id = request.rows.get(formatAddress({ provider: object.provider, kind, name }))?.id
      const path = Object.values(body).find((one) => typeof one === 'string' && declaration.sources.has(one))
      if (typeof id === 'string' && typeof path === 'string') uploads.set(`${kind} ${id}`, path)
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  return uploads
}
