// Changes of the reader in this window, sent one after the other, and their undo. Every change has a name, so that it is made
// once however often it is sent.
import type { Static } from 'typebox'
import type { ChangeResponse } from '../../../schemas/changes.js'
import type { ApiClient } from '../../shared/api-client.js'
import { ApiError } from '../../shared/api-error.js'
import { randomId } from '../../shared/random-id.js'
import { AnsweredAnnotations } from './answered.js'
import { folderOf, type LayerName } from './opened-document.js'

/** Op of `doc.changes`, as the reference of the server describes it. */
export interface Op extends Readonly<Record<string, unknown>> {
  readonly type: string
}

/** Times at which a change is sent when the server does not answer. */
const attempts = 3

export class Edits {
  #done: readonly string[] = []
  #undone: readonly string[] = []
  #turn: Promise<unknown> = Promise.resolve()
  readonly answered = new AnsweredAnnotations()

  constructor(
    private readonly client: ApiClient,
    private readonly name: LayerName,
    private readonly onChange: () => void,
    /** Called before annotations are written, which have the name of their author. */
    private readonly introduce: () => Promise<void> = async () => {},
  ) {}

  get canUndo(): boolean {
    return this.#done.length > 0
  }

  get canRedo(): boolean {
    return this.#undone.length > 0
  }

  /** The ops may be made when the changes before them have been answered. Throws `ApiError` if the change was refused. */
  apply(ops: readonly Op[] | (() => readonly Op[])): Promise<void> {
    return this.#next(async () => {
      const made = typeof ops === 'function' ? ops() : ops
      if (made.some(({ type }) => type.startsWith('annotations.'))) await this.introduce()
      this.#done = [...this.#done, await this.#send({ ops: made })]
      this.#undone = []
    })
  }

  /** Removes what is marked for redaction. Nothing before it can be undone afterwards. */
  applyRedactions(): Promise<void> {
    return this.#next(async () => {
      const headers = { 'Idempotency-Key': randomId() }
      await this.client.send(`${folderOf(this.name)}redactions/apply`, { method: 'POST', headers })
      this.#done = []
      this.#undone = []
    })
  }

  undo(): Promise<void> {
    return this.#next(async () => {
      const last = this.#done.at(-1)
      if (last === undefined) return
      // A change that cannot be undone does not keep the ones before it from being undone.
      this.#done = this.#done.slice(0, -1)
      this.#undone = [...this.#undone, await this.#send({ undoOf: last })]
    })
  }

  /** Undoes the last undo. */
  redo(): Promise<void> {
    return this.#next(async () => {
      const last = this.#undone.at(-1)
      if (last === undefined) return
      this.#undone = this.#undone.slice(0, -1)
      this.#done = [...this.#done, await this.#send({ undoOf: last })]
    })
  }

  /** Undoes what somebody else did to an annotation of the reader. */
  bringBack(opId: string): Promise<void> {
    return this.#next(async () => {
      this.#done = [...this.#done, await this.#send({ undoOf: opId })]
      this.#undone = []
    })
  }

  #next(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work).finally(this.onChange)
    this.#turn = done.catch(() => {})
    return done
  }

  /** Returns the name of the change. */
  async #send(what: { readonly ops: readonly Op[] } | { readonly undoOf: string }): Promise<string> {
    const opId = randomId()
    const json = { changes: [{ opId, ...what }] }
    const path = `${folderOf(this.name)}changes`
    for (let attempt = 1; ; attempt++) {
      try {
        const { changes } = await this.client.json<Static<typeof ChangeResponse>>(path, { method: 'POST', json })
        const [change] = changes
        if (change?.status === 'refused') throw refusalOf(change.error)
        this.answered.note(change?.result.items ?? [])
        return opId
      } catch (error) {
        const isLost = error instanceof ApiError && (error.status === 0 || error.status >= 500)
        if (!isLost || attempt === attempts) throw error
        await new Promise((resolve) => setTimeout(resolve, attempt * 1_000))
      }
    }
  }
}

/** Returns the error of a refused change; an annotation or field that is gone is told apart from a document that is. */
const refusalOf = ({ code, message }: { readonly code: string; readonly message: string }): ApiError =>
  new ApiError(409, code === 'NotFound' ? 'ChangedThingGone' : code, message)
