// Files: uploaded unchanged, checked by the server, deleted after a week. Every change is a new upload.
import { type Call, handler, type Remote } from '../../core/plugin/handler.js'
import { contentOf } from '../../core/plugin/upload-content.js'
import { isObject } from '../../core/value/tree.js'
import type { FileBody } from '../kinds/file.js'
import { collection } from './answers.js'
import { type ArkClient, filePaging } from './client.js'

/** Default purpose of an upload. */
export const defaultPurpose = 'agent'

export const file = handler<ArkClient, FileBody>({
  ...collection('/files'),
  kind: 'file',
  support: { reason: 'kept for 7 days' },
  fields: {
    filename: { immutable: true },
    bytes: { label: 'size_bytes', immutable: true },
    purpose: { immutable: true },
    sha256: { label: 'source', immutable: true, local: true, writeOnly: true },
  },

  desired: ({ body }, scope) => {
    const { baseName, sizeBytes, sha256 } = scope.source(body.source)
    return { filename: baseName, bytes: sizeBytes, purpose: body.purpose ?? defaultPurpose, sha256 }
  },
  observed: ({ filename, bytes, purpose }) => ({ filename, bytes, purpose }),
  // Older responses name the id `file_id`.
  outputs: (remote) => ({ id: String(remote['id'] ?? remote['file_id']) }),

  async create(call, request) {
    const { baseName, files } = await contentOf(call, request)
    const form = new FormData()
    form.set('purpose', String(request.desired['purpose']))
    form.set('file', new Blob([files[0]?.bytes ?? '']), baseName)
    return call.client.create('/files', form, call)
  },
  list: ({ client, signal }: Call<ArkClient>) => client.list('/files', { signal }, filePaging),

  // Files have no ownership mark: name, size and time identify them.
  lostCreate: { by: 'content' },
  ready: { state: readiness, firstDelayMs: 1_000, longestDelayMs: 3_000, timeoutMs: 600_000 },
})

function readiness({ status, error }: Remote) {
  if (status === 'processing') return 'pending'
  if (status !== 'failed') return 'ready'
  return { failed: isObject(error) ? String(error['message'] ?? 'no reason given') : 'no reason given' }
}
