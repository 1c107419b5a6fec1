// Counts answers by action and status, and collects those that must not be.
import type { Answer } from '../../server/support/client.js'
import { answerComplaints } from '../fuzz/answer-complaints.js'

const complaintsMax = 50

export class Tally {
  readonly complaints: string[] = []
  readonly #statuses = new Map<number, number>()
  readonly #actions = new Map<string, number>()

  answer = (what: string, answer: Answer): void => {
    this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
    for (const complaint of answerComplaints(what, answer)) this.complain(complaint)
  }

  complain(complaint: string): void {
    if (this.complaints.length < complaintsMax) this.complaints.push(complaint)
  }

  action(name: string): void {
    this.#actions.set(name, (this.#actions.get(name) ?? 0) + 1)
  }

  get actions(): string {
    return counts(this.#actions)
  }

  get statuses(): string {
    return counts(this.#statuses)
  }
}

const counts = (map: ReadonlyMap<string | number, number>): string =>
  [...map]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} x ${count}`)
    .join(', ')
