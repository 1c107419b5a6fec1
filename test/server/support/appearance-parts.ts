// A multipart answer of appearances, taken apart by the parser of the runtime.
import type { AppearanceBatch, AppearancePicture } from '../../../workers/contract/appearance-batch.js'
import type { Answer } from './client.js'

export interface Appearances {
  readonly batch: AppearanceBatch
  /** The picture file of an entry. */
  fileOf(picture: AppearancePicture): Promise<Buffer>
  /** Names of the parts, in their order. */
  readonly names: readonly string[]
}

export async function appearancesIn({ bytes, headers }: Answer): Promise<Appearances> {
  const contentType = headers.get('content-type') ?? ''
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  return {
    batch: JSON.parse(String(form.get('body'))),
    async fileOf({ resources: { image } }) {
      const file = form.get(`resource:${image}`)
      if (!(file instanceof Blob)) throw new Error(`There is no file resource:${image}`)
      return Buffer.from(await file.arrayBuffer())
    },
    names: [...form.keys()],
  }
}
