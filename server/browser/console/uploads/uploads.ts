// The uploads of this page, some at a time. They go on while other places of the console are shown.
import type { ApiClient } from '../../shared/api-client.js'
import { Upload } from './upload.js'

/** Uploads that go on at once. */
const atOnceMax = 2

/** Pause before an interrupted upload is tried again; it doubles up to the maximum. */
const pauseMs = { first: 2_000, max: 60_000 }

export class Uploads {
  #all: readonly Upload[] = []
  readonly #listeners = new Set<() => void>()
  readonly #pauses = new Map<Upload, { readonly ms: number; readonly timer: ReturnType<typeof setTimeout> }>()
  readonly #running = new Set<Upload>()

  constructor(private readonly client: ApiClient) {
    addEventListener('online', this.#resumeAll)
    addEventListener('beforeunload', this.#warn)
  }

  of(tenantId: string): readonly Upload[] {
    return this.#all.filter((one) => one.tenantId === tenantId)
  }

  add(tenantId: string, files: Iterable<File>): void {
    const added = [...files].map((file) => new Upload(this.client, tenantId, file, this.#tell))
    this.#all = [...this.#all, ...added]
    this.#startNext()
  }

  /** Tries an interrupted upload again at once. */
  resume(upload: Upload): void {
    clearTimeout(this.#pauses.get(upload)?.timer)
    if (upload.state !== 'interrupted') return
    upload.state = 'waiting'
    this.#startNext()
  }

  /** Stops an upload, and forgets it. */
  remove(upload: Upload): void {
    upload.cancel()
    clearTimeout(this.#pauses.get(upload)?.timer)
    this.#pauses.delete(upload)
    this.#all = this.#all.filter((one) => one !== upload)
    this.#startNext()
  }

  removeOver(tenantId: string): void {
    this.#all = this.#all.filter((one) => one.tenantId !== tenantId || !one.isOver)
    this.#tell()
  }

  /** Stops everything for good. */
  cancelAll(): void {
    for (const upload of this.#all) this.remove(upload)
    removeEventListener('online', this.#resumeAll)
    removeEventListener('beforeunload', this.#warn)
  }

  /** Returns a function that ends it. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly #tell = (): void => {
    for (const listener of this.#listeners) listener()
  }

  readonly #resumeAll = (): void => {
    for (const upload of this.#all) this.resume(upload)
  }

  /** Leaving the page would end the uploads. */
  readonly #warn = (event: BeforeUnloadEvent): void => {
    if (this.#all.some(({ isOver }) => !isOver)) event.preventDefault()
  }

  #startNext(): void {
    const due = this.#all.filter(({ state }) => state === 'waiting').filter((one) => !this.#running.has(one))
    for (const upload of due.slice(0, atOnceMax - this.#running.size)) void this.#run(upload)
    this.#tell()
  }

  async #run(upload: Upload): Promise<void> {
    this.#running.add(upload)
    await upload.attempt()
    this.#running.delete(upload)
    if (upload.state === 'interrupted' && !upload.isCancelled) this.#pause(upload)
    else this.#pauses.delete(upload)
    this.#startNext()
  }

  #pause(upload: Upload): void {
    const ms = Math.min(pauseMs.max, (this.#pauses.get(upload)?.ms ?? pauseMs.first / 2) * 2)
    this.#pauses.set(upload, { ms, timer: setTimeout(() => this.resume(upload), ms) })
  }
}
