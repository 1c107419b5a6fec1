// Skills: folders that are uploaded. Their content is never answered, so that the digest of what was sent last is all
// there is to compare.
import { contentOf, handler, patchBody } from 'steward/plugin'

/**
 * @import { ApiClient, Call, CreateRequest, Handler } from 'steward/plugin'
 * @import { SkillBody } from 'steward/kinds'
 */

const fields = /** @type {const} */ ({
  description: { clear: '' },
  sha256: { label: 'source', local: true, writeOnly: true },
  metadata: { map: 'patchNull' },
})

/** @type {Handler<ApiClient, SkillBody>} */
const typed = {
  kind: 'skill',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }, scope) => ({
    name,
    description: body.description,
    // Digest of everything that would be uploaded from the folder, which is read when the plan is made.
    sha256: scope.source(body.source).sha256,
  }),
  observed: ({ name, description, metadata }) => ({ name, description, metadata }),
  outputs: ({ id }) => ({ id: String(id) }),
  createdAtMs: ({ created_at_ms }) => Number(created_at_ms),

  read: (call, id) => call.client.get(`/skills/${id}`, call),
  async create(call, request) {
    const { sha256: _local, ...members } = request.desired
    return call.client.create('/skills', { ...members, files: await filesOf(call, request) }, call)
  },
  async update(call, request) {
    const isNewContent = request.changes.some(({ path }) => path === 'sha256')
    const files = isNewContent ? { files: await filesOf(call, request) } : {}
    const body = { ...patchBody(fields, request), ...files }
    return call.client.update(`/skills/${request.id}`, body, { ...call, method: 'PATCH' })
  },
  remove: async (call, id) => void (await call.client.delete(`/skills/${id}`, call)),
  removal: 'delete',
  list: (call) => call.client.list('/skills', call),
  listIsComplete: true,

  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  name: ({ name }) => String(name),
}

/**
 * Returns the files in the form that this service takes. A service that takes a form would get a `FormData` as body.
 * @param {Call<ApiClient>} call
 * @param {Pick<CreateRequest, 'desired' | 'sources'>} request
 */
async function filesOf(call, request) {
  const { files } = await contentOf(call, request)
  return files.map(({ path, bytes }) => ({ path, base64: Buffer.from(bytes).toString('base64') }))
}

export const skill = handler(typed)
