// Finds listed objects that have no mark and no row in state, but are identified by a declaration: by an id that the
// user chose, or by content equal to what was uploaded.
import { contentOf } from '../declaration/content.js'
import type { Resource } from '../graph/resource.js'
import { buildResources } from '../graph/resources.js'
import type { EngineOptions } from '../plan/options.js'
import { KnownOutputs } from '../plan/outputs.js'
import type { Row } from '../state/row.js'
import { expand } from '../value/placeholder.js'
import type { Tree } from '../value/tree.js'
import type { Discovered } from './discover.js'

export interface IdentifyRequest extends EngineOptions {
  readonly projectName: string
  readonly rows: ReadonlyMap<string, Row>
}

/** Returns the same objects; those that a declaration identifies have its name. */
export async function identify(
  request: IdentifyRequest,
  objects: readonly Discovered[],
): Promise<readonly Discovered[]> {
  const nameless = objects.filter(({ handler, address }) => handler.mark === undefined && address === undefined)
  if (nameless.length === 0) return objects
  const { project, rows } = request
  const { all } = buildResources({ ...request, targets: ({ providers }) => providers.names })
  const values = new KnownOutputs(project.variables, rows)
  const free = new Set(
    [...all.values()].filter(({ address, externalId }) => !rows.has(address) && externalId === undefined),
  )
  const names = new Map<Discovered, string>()
  for (const object of nameless) {
    for (const resource of free) {
      if (!(await isIts(request, resource, object, values))) continue
      free.delete(resource)
      names.set(object, resource.name)
      break
    }
  }
  return objects.map((object) => {
    const markedName = names.get(object)
    return markedName === undefined ? object : { ...object, markedName }
  })
}

async function isIts(
  { ports }: IdentifyRequest,
  { handler, provider, desired, declaration }: Resource,
  { handler: other, provider: where, object, content }: Discovered,
  values: KnownOutputs,
): Promise<boolean> {
  if (handler !== other || provider !== where) return false
  if (handler.lostCreate.by === 'match') return handler.lostCreate.matches(object.remote, expanded(desired, values))
  for (const source of declaration.sources.values()) {
    if (content?.type === 'content' && content.sha256 === source.sha256) return true
    if (handler.resembles?.(object.remote, await contentOf(ports.disk, source))) return true
  }
  return false
}

function expanded(desired: Tree, { variables }: KnownOutputs): Tree {
  return expand(desired, (open) =>
    open.type === 'variable' ? (variables.value(open.name) ?? open.fallback) : undefined,
  ) as Tree // Inserting variables does not change the shape of a tree.
}
