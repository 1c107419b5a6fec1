// Upload of one file: hash, announcement, bytes, commit. Each step can be made again, so an upload whose connection
// broke continues with the step that broke, for the same document.
import type { Static } from 'typebox'
import type { Document, DocumentInitResult } from '../../../schemas/document.js'
import type { ApiClient } from '../../shared/api-client.js'
import { ApiError } from '../../shared/api-error.js'
import { randomId } from '../../shared/random-id.js'
import { documentsPath } from '../paths.js'
import { hashFile } from './hash-file.js'
import { sendFile } from './send-file.js'

export type UploadState =
  | 'waiting'
  | 'hashing'
  | 'sending'
  | 'finishing'
  /** The connection broke; the next attempt follows by itself, or at once when asked for. */
  | 'interrupted'
  /** Refused by the server; another attempt would be, too. */
  | 'refused'
  /** Stored, and not readable as a PDF. */
  | 'failed'
  | 'done'

export class Upload {
  readonly id = randomId()
  state: UploadState = 'waiting'
  /** Bytes read while `hashing`, and sent while `sending`. */
  bytes = 0
  problem: unknown
  document: Static<typeof Document> | undefined
  readonly #controller = new AbortController()
  #sha256: string | undefined
  #isSent = false

  constructor(
    private readonly client: ApiClient,
    readonly tenantId: string,
    readonly file: File,
    private readonly onChange: () => void,
  ) {}

  get isOver(): boolean {
    return ['refused', 'failed', 'done'].includes(this.state)
  }

  cancel(): void {
    this.#controller.abort()
  }

  get isCancelled(): boolean {
    return this.#controller.signal.aborted
  }

  /** Makes one attempt. Never throws. */
  async attempt(): Promise<void> {
    try {
      const document = await this.#store()
      this.document = document
      this.#become(document.state === 'failed' ? 'failed' : 'done')
    } catch (error) {
      if (this.isCancelled) return
      this.problem = error
      this.#become(isPassing(error) ? 'interrupted' : 'refused')
    }
  }

  async #store(): Promise<Static<typeof Document>> {
    const { client, tenantId, file } = this
    const { signal } = this.#controller
    if (file.size === 0) throw new ApiError(400, 'EmptyFile', 'The file is empty')
    const onProgress = (bytes: number) => {
      this.bytes = bytes
      this.onChange()
    }
    if (this.#sha256 === undefined) {
      this.#become('hashing')
      this.#sha256 = await hashFile(file, signal, onProgress)
    }
    const sha256 = this.#sha256
    const announced = await client.json<Static<typeof DocumentInitResult>>(`${documentsPath(tenantId)}/init`, {
      method: 'POST',
      signal,
      json: {
        contentLength: file.size,
        contentSha256: sha256,
        metadata: { fileName: file.name },
        // The page may send to its own server only.
        uploadPreference: 'proxy',
        // The same key resumes the same document.
        idempotencyKey: `console-${this.id}`,
      },
    })
    if (announced.tag === 'deduped') return announced.document
    const path = `${documentsPath(tenantId)}/${announced.document.id}`
    if (!this.#isSent) {
      this.#become('sending')
      await sendFile(client, { path: `${path}/upload-proxy`, file, signal, onProgress })
      this.#isSent = true
    }
    this.#become('finishing')
    const committed = await client.json<{ readonly document: Static<typeof Document> }>(`${path}/commit`, {
      method: 'POST',
      signal,
      json: { sha256 },
    })
    return committed.document
  }

  #become(state: UploadState): void {
    this.state = state
    if (state === 'hashing' || state === 'sending') this.bytes = 0
    this.onChange()
  }
}

/** True if a later attempt may succeed. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500)
