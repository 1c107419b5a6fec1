// Mounts of memory stores, which let the default identity read a store through a template (agent configuration 2.11,
// shared-resource rule). Each mount is a resource, so that the project's own mounts are removed before their template
// is archived, and mounts of others and of the system are never changed.

import type { Declaration, Project } from '../../../core/plugin/declaration.js'
import { ApiFailure } from '../../../core/plugin/failure.js'
import { type DerivedResource, handler } from '../../../core/plugin/handler.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { textOf } from '../../shared/wire.js'
import type { QoderClient } from '../client.js'
import { problem } from '../problems.js'
import { createdAtMs, item } from '../wire.js'
import { Mount, mountsOf, mountsPath, type Pair } from './mounts.js'

/** Body of the resource, with logical names. */
interface MountBody {
  readonly agent: string
  readonly identity: string
  readonly memory_store: string
}

const kind = 'memory_mount'

export function memoryMounts(
  { name, body }: Declaration<AgentBody>,
  { defaults }: Project,
): readonly DerivedResource[] {
  const { identity } = defaults
  if (identity === undefined) return []
  return [...new Set(body.memory_stores ?? [])].map((store) => ({
    kind,
    name: `${name}~${store}`,
    body: { agent: name, identity, memory_store: store },
  }))
}

export const memoryMount = handler<QoderClient, MountBody>({
  kind,
  api: 'forward',
  form: 1,
  fields: { '*': { immutable: true } },

  desired: ({ body }, scope) => ({
    identity_id: scope.output('identity', body.identity),
    template_id: scope.output('agent', body.agent),
    memory_store_id: scope.output('memory_store', body.memory_store),
  }),
  observed: ({ identity_id, template_id, memory_store_id }) => ({ identity_id, template_id, memory_store_id }),
  outputs: ({ identity_id, template_id, memory_store_id }) => ({
    id: [identity_id, template_id, memory_store_id].join(separator),
  }),
  createdAtMs,

  read: async (call, id) => {
    const { pair, storeId } = partsOf(id)
    const found = (await mountsOf(call, pair)).find((mount) => mount['memory_store_id'] === storeId)
    if (found) return { ...found, identity_id: pair.identityId, template_id: pair.templateId }
    const operation = `GET ${mountsPath(pair)}`
    throw new ApiFailure({ class: 'gone', status: 404, message: 'not mounted', operation, isAmbiguous: false })
  },
  // If the store is mounted already, this call returns the existing mount.
  create: ({ client, signal }, { desired }) => {
    const pair = { identityId: textOf(desired['identity_id']), templateId: textOf(desired['template_id']) }
    return client.forward.update(
      mountsPath(pair),
      { memory_store_id: desired['memory_store_id'] },
      { signal, answer: Mount },
    )
  },
  remove: async (call, id) => {
    const { pair, storeId } = partsOf(id)
    const { client, signal } = call
    const isGone = async () => !(await mountsOf(call, pair)).some((mount) => mount['memory_store_id'] === storeId)
    await client.forward.delete(mountsPath(pair) + item('', storeId), { signal, isGone })
  },
  removal: 'delete',

  replace: 'createFirst',
  lostCreate: { by: 'repeat', isIdempotent: true },
})

const separator = '/'

/** Splits the id of a mount, which joins the ids of store, identity and template. */
function partsOf(id: string): { readonly pair: Pair; readonly storeId: string } {
  const [identityId, templateId, storeId] = id.split(separator)
  if (identityId !== undefined && templateId !== undefined && storeId !== undefined)
    return { pair: { identityId, templateId }, storeId }
  throw problem('qoder.mount-id', {
    detail: `"${id}" is not an identity, a template and a memory store with slashes between them.`,
  })
}
