// Files of the managed API (agent configuration 2.10). Nothing about one can be changed: other bytes are another file.
import { handler } from '../../../core/plugin/handler.js'
import type { FileBody } from '../../kinds/file.js'
import { paging, type QoderClient } from '../client.js'
import { desiredFile, fileFields, observedFile } from '../file-body.js'
import { uploadFile } from '../upload.js'
import { createdAtMs, idOf, isArchived, item } from '../wire.js'

export const file = handler<QoderClient, FileBody>({
  kind: 'file',
  api: 'managed',
  form: 1,
  fields: fileFields,
  mark: 'metadata',

  desired: desiredFile,
  observed: observedFile,
  outputs: (remote) => ({ id: idOf(remote) }),
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.managed.get(item('/files', id), { signal }),
  create: (call, request) => uploadFile(call, 'managed', request),
  remove: async ({ client, signal }, id) => void (await client.managed.delete(item('/files', id), { signal })),
  removal: 'delete',
  list: ({ client, signal }) => client.managed.list('/files', { signal }, paging),
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'mark' },
})
