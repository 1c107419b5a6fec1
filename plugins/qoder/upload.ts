// Uploads: one file, with the form fields that the file calls of both APIs take.
import type { Call, CreateRequest, Remote } from '../../core/plugin/handler.js'
import { type Api, idempotent, type QoderClient } from './client.js'
import { objectOf, textOf } from './wire.js'

/** The bytes of the request's only source, under its base name. */
export async function uploadFile(call: Call<QoderClient>, api: Api, request: CreateRequest): Promise<Remote> {
  const { desired, sources, nonce } = request
  const [source] = sources.values()
  if (!source) throw new Error('a file was created without its source')
  const { baseName, files } = await call.content(source)
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(files[0]?.bytes ?? [])]), baseName)
  const purpose = textOf(desired['purpose'])
  if (purpose !== '') form.append('purpose', purpose)
  form.append('metadata', JSON.stringify(objectOf(desired['metadata'])))
  return call.client[api].create('/files', form, idempotent(call, nonce))
}
