// The part of a handler that most collections of both APIs share: the usual calls, and the properties of their
// responses. A kind that differs overrides members after `...collection(api, path)`.
import type { Call, CreateRequest, Remote } from '../../core/plugin/handler.js'
import { type Api, idempotent, paging, type QoderClient } from './client.js'
import { createdAtMs, idOf, isArchived, item } from './wire.js'

export function collection(api: Api, path: string) {
  return {
    api,
    form: 1,
    outputs: (remote: Remote) => ({ id: idOf(remote) }),
    isGone: isArchived,
    createdAtMs,

    read: ({ client, signal }: Call<QoderClient>, id: string) => client[api].get(item(path, id), { signal }),
    create: (call: Call<QoderClient>, { desired, nonce }: CreateRequest) =>
      call.client[api].create(path, desired, idempotent(call, nonce)),
    remove: async ({ client, signal }: Call<QoderClient>, id: string) =>
      void (await client[api].delete(item(path, id), { signal })),
    removal: 'delete',
    list: ({ client, signal }: Call<QoderClient>) => client[api].list(path, { signal }, paging),
    listIsComplete: true,

    answers: 'whole',
    replace: 'createFirst',
  } as const
}

/** Returns the calls for a vault's credentials, which both APIs have below the vault. */
export function credentialCalls(api: Api) {
  const below = (vaultId: string, ...ids: readonly string[]) => item('/vaults', vaultId, 'credentials', ...ids)
  return {
    name: 'credentials',
    policy: () => 'own' as const,
    list: ({ client, signal }: Call<QoderClient>, vaultId: string) =>
      client[api].list(below(vaultId), { signal }, paging),
    id: idOf,
    isGone: isArchived,
    create: ({ client, signal }: Call<QoderClient>, vaultId: string, { desired }: Pick<CreateRequest, 'desired'>) =>
      client[api].create(below(vaultId), desired, { signal }),
    remove: async ({ client, signal }: Call<QoderClient>, vaultId: string, id: string) =>
      void (await client[api].delete(below(vaultId, id), { signal })),
  } as const
}
