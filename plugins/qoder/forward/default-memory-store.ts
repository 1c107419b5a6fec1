// The memory store that the service creates with the first session of an identity and a template (agent configuration
// 2.12). Declared are its name, its description, and whether it is retained when identity and template are removed.

import { patchBody } from '../../../core/plugin/body.js'
import type { Declaration, Project } from '../../../core/plugin/declaration.js'
import { isFailure, NotYet } from '../../../core/plugin/failure.js'
import { type Call, type DerivedResource, handler } from '../../../core/plugin/handler.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { textOf } from '../../shared/wire.js'
import { paging, type QoderClient } from '../client.js'
import { diagnostic } from '../problems.js'
import { createdAtMs, idOf, isArchived, item } from '../wire.js'
import { deleteMountedStore } from './mounted-store.js'
import { mountsOf, type Pair } from './mounts.js'

type DeclaredStore = NonNullable<AgentBody['default_memory_store']>

interface StoreBody extends DeclaredStore {
  /** Body of the resource, with logical names. */
  readonly agent: string
  readonly identity: string
}

const kind = 'default_memory_store'

export function defaultMemoryStoreOf(
  { name, body }: Declaration<AgentBody>,
  { defaults }: Project,
): readonly DerivedResource[] {
  const { identity } = defaults
  if (body.default_memory_store === undefined || identity === undefined) return []
  const removeAfter = [
    { kind: 'agent', name },
    { kind: 'identity', name: identity },
  ]
  return [{ kind, name, body: { ...body.default_memory_store, agent: name, identity }, removeAfter }]
}

const fields = {
  description: { owner: 'whileDeclared' },
  // The store records neither its pair of identity and template nor its retention, so both are compared locally and not
  // sent.
  identity_id: { label: 'identity', immutable: true, local: true, writeOnly: true },
  template_id: { label: 'agent', immutable: true, local: true, writeOnly: true },
  delete_on_destroy: { local: true, writeOnly: true },
} as const

export const defaultMemoryStore = handler<QoderClient, StoreBody>({
  kind,
  api: 'forward',
  form: 1,
  fields,

  desired: ({ body }, scope) => ({
    name: body.name,
    description: body.description,
    identity_id: scope.output('identity', body.identity),
    template_id: scope.output('agent', body.agent),
    ...(body.delete_on_destroy ? { delete_on_destroy: true } : {}),
  }),
  observed: ({ name, description }) => ({ name, description }),
  outputs: (remote) => ({ id: idOf(remote) }),
  createdAtMs,

  read: ({ client, signal }, id) => client.forward.get(item('/memory_stores', id), { signal }),
  /** Adopts the store that the service created; no call creates it. */
  create: async (call, { desired }) => {
    const pair = { identityId: textOf(desired['identity_id']), templateId: textOf(desired['template_id']) }
    const storeId = await mountedStore(call, pair)
    if (storeId === undefined)
      throw new NotYet('Qoder makes this store with the first session of the identity, and none was started yet.', {
        ...pair,
      })
    const { name, description } = desired
    const body = { name, ...(description === undefined ? {} : { description }) }
    return call.client.forward.update(item('/memory_stores', storeId), body, { signal: call.signal })
  },
  isStillToCome: async (call, { identityId, templateId }) =>
    identityId !== undefined &&
    templateId !== undefined &&
    (await mountedStore(call, { identityId, templateId })) === undefined,
  update: ({ client, signal }, request) => {
    const body = patchBody(fields, request)
    const path = item('/memory_stores', request.id)
    return Object.keys(body).length === 0
      ? client.forward.get(path, { signal })
      : client.forward.update(path, body, { signal })
  },
  remove: deleteMountedStore,
  removal: 'delete',
  keeps: ({ leaves }) => leaves['delete_on_destroy'] === undefined,

  /**
   * Finds the store by its identity and template if both exist: a session may have created it since. A recorded store
   * stays in state until it is deleted, even if it was archived meanwhile.
   */
  preflight: async (call, row) => {
    if (row.leaves['delete_on_destroy'] === undefined) return row
    const { identityId, templateId } = row.operation?.type === 'cleanup' ? row.operation.facts : {}
    if (row.id !== null) return { ...row, operation: { type: 'cleanup', facts: {} } }
    if (identityId === undefined || templateId === undefined) return row
    try {
      const storeId = await mountedStore(call, { identityId, templateId })
      if (storeId !== undefined) return { ...row, id: storeId }
      const template = await call.client.forward.get(item('/templates', templateId), { signal: call.signal })
      if (!isArchived(template)) return row
    } catch (error) {
      if (!isFailure(error, 'gone')) throw error
    }
    await reportOrphans(call, identityId)
    return { ...row, operation: { type: 'cleanup', facts: {} } }
  },

  replace: 'createFirst',
  lostCreate: { by: 'repeat', isIdempotent: true },
})

/**
 * Reports stores that may be orphaned: without the identity or the template, the API no longer shows which store was
 * theirs. There is nothing to report after an interrupted destroy, which had searched for the store first; there may be
 * if identity or template was deleted elsewhere.
 */
async function reportOrphans({ client, signal, report }: Call<QoderClient>, identityId: string): Promise<void> {
  const query = { system_managed: 'true' }
  const left: string[] = []
  for await (const store of client.forward.list('/memory_stores', { signal, query }, paging))
    if (store['identity_id'] === identityId && !isArchived(store)) left.push(idOf(store))
  if (left.length > 0) report(diagnostic('qoder.default-memory-unknown', { detail: orphans(identityId, left) }))
}

function orphans(identityId: string, ids: readonly string[]): string {
  return `The identity ${identityId}, or the template, is gone, so Qoder no longer says which memory store was theirs. Left alone: ${ids.join(', ')}.`
}

async function mountedStore(call: Call<QoderClient>, pair: Pair): Promise<string | undefined> {
  const mounts = await mountsOf(call, pair)
  const own = mounts.find((mount) => mount['system_managed'] === true && mount['access'] === 'read_write')
  return own && textOf(own['memory_store_id'])
}
