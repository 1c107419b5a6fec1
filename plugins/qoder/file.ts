// Files of both APIs, each in a collection of its own (agent configuration 2.10, and 2.11 `files` of templates). A file
// cannot be changed, only replaced.
import { handler } from '../../core/plugin/handler.js'
import type { FileBody } from '../kinds/file.js'
import type { Api, QoderClient } from './client.js'
import { collection } from './collection.js'
import { desiredFile, fileFields, observedFile } from './file-body.js'
import { uploadFile } from './upload.js'

export const fileOf = (api: Api) =>
  handler<QoderClient, FileBody>({
    ...collection(api, '/files'),
    kind: 'file',
    support: { reason: 'a changed file is a new upload' },
    fields: fileFields,
    mark: 'metadata',

    desired: desiredFile,
    observed: observedFile,
    create: (call, request) => uploadFile(call, api, request),
    lostCreate: { by: 'mark' },
  })
