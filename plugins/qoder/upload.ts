// Uploads one file with the form fields of the file calls, which are the same in both APIs.
import type { Call, CreateRequest, Remote } from '../../core/plugin/handler.js'
import { contentOf } from '../../core/plugin/upload-content.js'
import { objectOf, textOf } from '../shared/wire.js'
import { type Api, idempotent, type QoderClient } from './client.js'

export async function uploadFile(call: Call<QoderClient>, api: Api, request: CreateRequest): Promise<Remote> {
  const { desired, nonce } = request
  const { baseName, files } = await contentOf(call, request)
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(files[0]?.bytes ?? [])]), baseName)
  const purpose = textOf(desired['purpose'])
  if (purpose !== '') form.append('purpose', purpose)
  form.append('metadata', JSON.stringify(objectOf(desired['metadata'])))
  return call.client[api].create('/files', form, idempotent(call, nonce))
}
