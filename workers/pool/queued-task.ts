// A request in the pool. It waits in the queue of its account, runs at most twice, and is resolved or rejected once.

import { JobRefusal } from '../contract/job-refusal.js'
import type { Account } from '../messages/account.js'
import type { Outcome, Request } from '../messages/reply.js'
import type { PoolFailure } from '../messages/task.js'

export interface TaskFacts {
  readonly request: Request
  readonly job: string
  readonly kind: 'read' | 'write'
  /** Id of the document, which determines the home worker. */
  readonly document: string
  readonly account: Account
  /** Subject that is quarantined if the task makes a thread fail; undefined = none. */
  readonly subject: string | undefined
  readonly deadlineMs: number
  readonly signal: AbortSignal | undefined
}

interface TaskPromise<Answer> {
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

export class QueuedTask<Answer = unknown> {
  readonly answer: Promise<Answer>
  #hasSecondChance = true
  readonly #settling: TaskPromise<Answer>

  constructor(readonly facts: TaskFacts) {
    let settling: TaskPromise<Answer> | undefined
    this.answer = new Promise((resolve, reject) => {
      settling = { resolve, reject }
    })
    if (settling === undefined) throw new Error('A promise runs its executor at once')
    this.#settling = settling
  }

  get isRead(): boolean {
    return this.facts.kind === 'read'
  }

  /** Claims the second attempt: returns true once, and false if the caller has given up. */
  takeSecondChance(): boolean {
    const may = this.#hasSecondChance && this.facts.signal?.aborted !== true
    this.#hasSecondChance = false
    return may
  }

  settle(outcome: Exclude<Outcome<Answer>, { kind: 'trap' }>): void {
    if (outcome.kind === 'answer') this.#settling.resolve(outcome.answer)
    else if (outcome.kind === 'failure') this.fail(new JobFailure(outcome.message, outcome.stack, outcome.code))
    else this.fail(new JobRefusal(outcome.code, outcome.message, outcome.details))
  }

  fail(failure: PoolFailure | JobRefusal | JobFailure): void {
    this.#settling.reject(failure)
  }

  /** Calls `leave` and rejects the request when the caller aborts. */
  onAbort(leave: () => void): void {
    const { signal } = this.facts
    if (signal === undefined) return
    const abort = (): void => {
      leave()
      this.#settling.reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    // A signal may outlive many tasks, so its listener is removed.
    const forget = (): void => signal.removeEventListener('abort', abort)
    this.answer.then(forget, forget)
  }
}

/** Unexpected error of a job: a bug, or a machine in trouble (a full disk). The stack is the thread's. */
export class JobFailure extends Error {
  constructor(
    message: string,
    readonly threadStack: string | undefined,
    /** Error code of the operating system: `ENOSPC`. */
    readonly code?: string | undefined,
  ) {
    super(message)
    this.name = 'JobFailure'
  }
}
