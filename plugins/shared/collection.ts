// The part of a handler that most collections of an API share: the usual calls, and reading their responses. A provider
// adds what is specific to its responses (`createdAtMs`, `isGone`); a kind that differs overrides members.
import type { ApiClient } from '../../core/plugin/client.js'
import type { Call, CreateRequest, Remote } from '../../core/plugin/handler.js'
import { type Paging, pageTokenPaging } from '../../core/plugin/paging.js'
import { pathSegment } from '../../core/plugin/path-to.js'
import type { Outputs } from '../../core/plugin/scope.js'

/**
 * Returns the path of an object, `/environments/env_01`. The id is escaped, so one typed by a user cannot address
 * another path.
 */
export const item = (path: string, id: string): string => `${path}/${pathSegment(id)}`

export function collection<Client extends ApiClient>(path: string, paging: Paging = pageTokenPaging) {
  return {
    form: 1,
    outputs: idOutput,

    read: ({ client, signal }: Call<Client>, id: string) => client.get(item(path, id), { signal }),
    create: ({ client, signal }: Call<Client>, { desired }: CreateRequest) => client.create(path, desired, { signal }),
    remove: async ({ client, signal }: Call<Client>, id: string): Promise<void> =>
      void (await client.delete(item(path, id), { signal })),
    removal: 'delete',
    list: ({ client, signal }: Call<Client>) => client.list(path, { signal }, paging),
    listIsComplete: true,

    answers: 'whole',
    replace: 'createFirst',
  } as const
}

export const idOutput = (remote: Remote): Outputs => ({ id: String(remote['id']) })

/** Outputs of objects with versions, for resources that name a version. */
export const versionOutputs = (remote: Remote): Outputs => ({
  id: String(remote['id']),
  version: String(remote['version']),
})
