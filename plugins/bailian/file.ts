// Files: uploaded once, scanned, deleted after 30 days; they cannot be changed.
import { handler } from '../../core/plugin/handler.js'
import { contentOf } from '../../core/plugin/upload-content.js'
import type { FileBody } from '../kinds/file.js'
import { collection } from './answers.js'
import type { BailianClient } from './client.js'
import { isDeleted, scanState } from './scan.js'
import { upload } from './upload.js'

export const file = handler<BailianClient, FileBody>({
  ...collection('/files'),
  kind: 'file',
  support: { reason: 'kept for 30 days' },
  fields: {
    filename: { immutable: true },
    size_bytes: { immutable: true },
    sha256: { immutable: true, local: true, writeOnly: true, label: 'source' },
  },

  desired: ({ body }, scope) => {
    const { baseName, sizeBytes, sha256 } = scope.source(body.source)
    return { filename: baseName, size_bytes: sizeBytes, sha256 }
  },
  observed: (remote) => ({ filename: remote['filename'], size_bytes: remote['size_bytes'] }),
  // An expired file is not found, which a refresh treats as gone.
  isGone: isDeleted,

  create: async (call, request) => {
    const { files } = await contentOf(call, request)
    return upload(call, { name: String(request.desired['filename']), bytes: files[0]?.bytes ?? new Uint8Array() })
  },

  // Files have no ownership mark and cannot be downloaded: name, size and time identify them.
  lostCreate: { by: 'content' },
  ready: {
    state: (remote) => scanState(remote['status']),
    firstDelayMs: 1_000,
    longestDelayMs: 4_000,
    timeoutMs: 180_000,
  },
})
