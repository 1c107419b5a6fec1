// Files that sessions and deployments mount (agent configuration 2.10). A file cannot be changed, only replaced.
import type { Call, CreateRequest, Remote } from '../../core/plugin/handler.js'
import { handler } from '../../core/plugin/handler.js'
import { contentOf } from '../../core/plugin/upload-content.js'
import type { FileBody } from '../kinds/file.js'
import { mediaType } from '../shared/media-type.js'
import { collection } from './answers.js'
import type { ClaudeClient } from './client.js'

export const file = handler<ClaudeClient, FileBody>({
  ...collection('/files'),
  kind: 'file',
  support: { reason: 'mounted into sessions' },
  fields: {
    filename: { immutable: true },
    size_bytes: { immutable: true },
    sha256: { label: 'source', immutable: true, writeOnly: true, local: true },
  },

  desired({ body }, scope) {
    const { baseName, sizeBytes, sha256 } = scope.source(body.source)
    return { filename: baseName, size_bytes: sizeBytes, sha256 }
  },
  observed: ({ filename, size_bytes }) => ({ filename, size_bytes }),

  create: upload,

  // Files have no ownership mark and cannot be downloaded: name, size and time identify them.
  lostCreate: { by: 'content' },
})

async function upload(call: Call<ClaudeClient>, request: CreateRequest): Promise<Remote> {
  const { baseName, files } = await contentOf(call, request)
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(files[0]?.bytes ?? [])], { type: mediaType(baseName) }), baseName)
  return call.client.create('/files', form, { signal: call.signal })
}
