// Sends the requests of a signing: prepare, complete, cancel.
import { readFile } from 'node:fs/promises'
import type { SignatureCancelled, SignatureCompleted } from '../../../workers/contract/signatures/completion.js'
import type { SignaturePrepare, SignaturePrepared } from '../../../workers/contract/signatures/preparation.js'
import type { Call, DocumentsClient } from '../client.js'
import { documentsProblem } from '../problems.js'

export interface PrepareRequest {
  readonly body: SignaturePrepare
  /** Path of a PDF whose first page is the appearance. */
  readonly appearance: string | undefined
}

export interface Preparation {
  readonly prepared: SignaturePrepared
  /** An earlier request prepared the signing, and may still complete it. */
  readonly isEarlier: boolean
}

export class Signing {
  constructor(
    private readonly client: DocumentsClient,
    private readonly layerPath: string,
  ) {}

  async prepare(request: PrepareRequest): Promise<Preparation> {
    const path = `${this.layerPath}/signatures/prepare`
    const content = await contentOf(request)
    const { answer, isReplay } = await this.client.replayable<SignaturePrepared>(path, { method: 'POST', ...content })
    return { prepared: answer, isEarlier: isReplay }
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

async function contentOf({ body, appearance }: PrepareRequest): Promise<Pick<Call, 'json' | 'body'>> {
  if (appearance === undefined) return { json: body }
  const form = new FormData()
  form.set('body', JSON.stringify({ ...body, resources: { appearance: 'look' } }))
  form.set('resource:look', new Blob([await bytesOf(appearance)], { type: 'application/pdf' }), 'look.pdf')
  const { body: bytes, headers } = new Response(form)
  if (bytes === null) throw new Error('A form has no bytes')
  return { body: { bytes, contentType: headers.get('content-type') ?? '' } }
}

async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw documentsProblem('documents.no-file', { detail: `${path} cannot be read: ${reason}.`, cause: error })
  }
}
