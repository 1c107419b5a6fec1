// Client that sends a request again until it is answered: with the same bytes and key, so that the server must apply it once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Client, Sent } from '../../server/support/client.js'

/** The server did not answer within the client's patience: the outcome of the request is unknown. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

export interface Attempts {
  answered: number
  /** Attempts without an answer, or with one that asks to come again, by cause. */
  readonly repeated: Map<string, number>
}

/** Answers that ask to send the request again: nothing was applied, or the outcome is told by the next one. */
const isTemporary = (status: number): boolean => [429, 502, 503, 504].includes(status)

/** A request may wait for a lease and for a worker; later its connection counts as lost. */
const attemptTimeoutMs = 45_000

const longestPauseMs = 1500

export class SteadyClient {
  constructor(
    private readonly client: Client,
    private readonly attempts: Attempts,
    /** Milliseconds after which the client gives up a request. */
    private readonly patienceMs: number,
  ) {}

  /**
   * Returns the first answer that is final. `isFinal`: whether an answer with status 200 is one. Throws `Unanswered`.
   */
  async send(path: string, sent: Sent, isFinal: (answer: Answer) => boolean = () => true): Promise<Answer> {
    const until = performance.now() + this.patienceMs
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.attempt(path, sent)
      if (typeof outcome !== 'string' && isFinal(outcome)) {
        this.attempts.answered += 1
        return outcome
      }
      const cause = typeof outcome === 'string' ? outcome : `${outcome.status} ${outcome.code ?? ''}`
      this.attempts.repeated.set(cause, (this.attempts.repeated.get(cause) ?? 0) + 1)
      if (performance.now() > until) throw new Unanswered(`${sent.method ?? 'GET'} ${path}: ${cause}`)
      await sleep(Math.min(longestPauseMs, 50 * 2 ** attempt) * (0.5 + Math.random() / 2))
    }
  }

  /** Returns the answer, or the cause for sending the request again. */
  private async attempt(path: string, sent: Sent): Promise<Answer | string> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('no answer in time'), attemptTimeoutMs)
    })
    try {
      const answer = await Promise.race([this.client.send(path, sent), late])
      if (typeof answer === 'string' || !isTemporary(answer.status)) return answer
      return `${answer.status} ${answer.code ?? ''}`
    } catch (error) {
      return `no connection (${Object(Object(error).cause).code ?? 'lost'})`
    } finally {
      clearTimeout(timer)
    }
  }
}
