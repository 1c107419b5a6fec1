// Derives declarations from compared trees, as far as the providers agree.
import { marks } from '../../core/graph/resource.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'

/** Returns the object without empty members. */
export function declared(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isEmpty(value)))
}

/** Returns the user's metadata, without ownership marks. */
export function declaredMetadata(metadata: Json | undefined): JsonObject {
  const { [marks.project]: _, [marks.resource]: __, ...theirs } = isObject(metadata) ? metadata : {}
  return theirs
}

/** Returns the object's name; undefined if it equals the one derived from the logical name. */
export function ownName(name: Json | undefined, index: RemoteIndex): Json | undefined {
  return name === index.self ? undefined : name
}

/**
 * Returns the declaration for the compared tree of a store. Lists do not show its contents, which belong to the
 * agents.
 */
export function declaredMemoryStore({ name, description, metadata }: Tree, index: RemoteIndex): JsonObject {
  return declared({ name: ownName(name, index), description, metadata: declaredMetadata(metadata) })
}

/** Returns the declaration for the compared tree of an environment; undefined for types that cannot be declared. */
export function declaredEnvironment(
  { name, description, config, metadata }: Tree,
  index: RemoteIndex,
): JsonObject | undefined {
  const { type, networking, packages } = isObject(config) ? config : {}
  if (type !== 'cloud') return index.cannotSay('it is of a type that cannot be declared here')
  return declared({
    name: ownName(name, index),
    description,
    config: {
      type,
      ...declared({
        networking: declaredNetworking(networking),
        packages: declared(isObject(packages) ? packages : {}),
      }),
    },
    metadata: declaredMetadata(metadata),
  })
}

/** Returns the networking; empty if access is unrestricted. */
function declaredNetworking(networking: Json | undefined): JsonObject {
  const { type, ...limits } = isObject(networking) ? networking : {}
  const set = declared(Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== false)))
  return type === 'unrestricted' && isEmpty(set) ? {} : { type, ...set }
}
