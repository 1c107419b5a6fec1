// Environments. Acme repeats a create that carries the same idempotency key, so a lost answer costs nothing.
import { handler, patchBody } from 'steward/plugin'
import { ownMetadata, saidOf } from './declare.js'

/**
 * @import { ApiClient, Handler } from 'steward/plugin'
 * @import { EnvironmentBody } from 'steward/kinds'
 */

const fields = /** @type {const} */ ({
  description: { clear: '' },
  runtime: { immutable: true },
  packages: { unordered: true, clear: [] },
  metadata: { map: 'patchNull' },
})

/** @type {Handler<ApiClient, EnvironmentBody>} */
const typed = {
  kind: 'environment',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    runtime: body.config?.type,
    packages: Object.entries(body.config?.packages ?? {}).flatMap(([manager, names]) =>
      names.map((one) => `${manager}:${one}`),
    ),
    metadata: body.metadata,
  }),
  observed: ({ name, description, runtime, packages, metadata }) => ({
    name,
    description,
    runtime,
    packages,
    metadata,
  }),
  outputs: ({ id }) => ({ id: String(id) }),

  read: (call, id) => call.client.get(`/environments/${id}`, call),
  create: (call, { desired, nonce }) =>
    call.client.create('/environments', desired, { ...call, headers: { 'idempotency-key': nonce } }),
  update: (call, request) =>
    call.client.update(`/environments/${request.id}`, patchBody(fields, request), { ...call, method: 'PATCH' }),
  remove: async (call, id) => void (await call.client.delete(`/environments/${id}`, call)),
  removal: 'delete',
  list: (call) => call.client.list('/environments', call),
  listIsComplete: true,

  replace: 'createFirst',
  // Names are unique, so the replaced environment gets another name.
  makeWay: async (call, id) =>
    void (await call.client.update(`/environments/${id}`, { name: `replaced ${id}` }, { ...call, method: 'PATCH' })),
  lostCreate: { by: 'key' },

  name: ({ name }) => String(name),
  declare: ({ remote }, { self }) => ({
    ...(remote['name'] === self ? {} : { name: String(remote['name']) }),
    ...saidOf({ description: remote['description'] }),
    config: { type: String(remote['runtime']), ...saidOf({ packages: packagesOf(remote['packages']) }) },
    ...saidOf({ metadata: ownMetadata(remote['metadata']) }),
  }),
}

/** Returns packages such as `npm:prettier`, grouped by manager. @param {unknown} packages */
function packagesOf(packages) {
  /** @type {Record<string, string[]>} */
  const byManager = {}
  for (const one of Array.isArray(packages) ? packages : []) {
    const cut = String(one).indexOf(':')
    const manager = String(one).slice(0, cut)
    byManager[manager] = [...(byManager[manager] ?? []), String(one).slice(cut + 1)]
  }
  return byManager
}

export const environment = handler(typed)
