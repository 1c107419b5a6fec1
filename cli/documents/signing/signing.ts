// Sends the requests of a signing: prepare, complete, cancel.
import { readFile } from 'node:fs/promises'
import type { SignatureCancelled, SignatureCompleted } from '../../../workers/contract/signatures/completion.js'
import type { SignaturePrepare, SignaturePrepared } from '../../../workers/contract/signatures/preparation.js'
import type { DocumentsClient } from '../client.js'
import { documentsProblem } from '../problems.js'

export interface PrepareRequest {
  readonly body: SignaturePrepare
  /** Path of a PDF whose first page is the appearance. */
  readonly appearance: string | undefined
}

export class Signing {
  constructor(
    private readonly client: DocumentsClient,
    private readonly layerPath: string,
  ) {}

  async prepare({ body, appearance }: PrepareRequest): Promise<SignaturePrepared> {
    const path = `${this.layerPath}/signatures/prepare`
    if (appearance === undefined) return this.client.json(path, { method: 'POST', json: body })
    const form = new FormData()
    form.set('body', JSON.stringify({ ...body, resources: { appearance: 'look' } }))
    form.set('resource:look', new Blob([await bytesOf(appearance)], { type: 'application/pdf' }), 'look.pdf')
    const { body: bytes, headers } = new Response(form)
    if (bytes === null) throw new Error('A form has no bytes')
    const contentType = headers.get('content-type') ?? ''
    return this.client.json(path, { method: 'POST', body: { bytes, contentType } })
  }

  async complete(signingId: string, cms: Uint8Array, expectedVersion: object): Promise<SignatureCompleted> {
    return this.client.json(`${this.#path(signingId)}/complete`, {
      method: 'POST',
      json: { cms: Buffer.from(cms).toString('base64'), expectedVersion },
    })
  }

  /** Resolves to the state of the signing; after `cancelled` the layer can be changed again. */
  async cancel(signingId: string): Promise<SignatureCancelled['status']> {
    return (await this.client.json<SignatureCancelled>(this.#path(signingId), { method: 'DELETE' })).status
  }

  #path(signingId: string): string {
    return `${this.layerPath}/signatures/${encodeURIComponent(signingId)}`
  }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw documentsProblem('documents.no-file', { detail: `${path} cannot be read: ${reason}.`, cause: error })
  }
}
