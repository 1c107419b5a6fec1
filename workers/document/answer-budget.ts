// Limits the size of one answer. A small file can refer to the same long text from a million places; such an answer is
// refused before it is built.
import { JobRefusal } from '../contract/job-refusal.js'
import { readingLimits } from '../objects/reading-limits.js'

export class AnswerBudget {
  #items = 0
  #characters = 0
  #values = 0
  #actionParts = 0

  constructor(readonly itemsMax: number) {}

  /** Resets the budget for the next answer. */
  renew(): void {
    this.#items = 0
    this.#characters = 0
    this.#values = 0
    this.#actionParts = 0
  }

  /** Counts one annotation, field or page. */
  takeItem(): void {
    this.#items = spend('items', this.#items + 1, this.itemsMax)
  }

  takeText(text: string): string {
    this.#characters = spend('characters', this.#characters + text.length, readingLimits.answerCharactersMax)
    return text
  }

  /** Counts array elements that were inspected, whether or not they become part of the answer. */
  takeValues(count: number): void {
    this.#values = spend('values', this.#values + count, readingLimits.answerValuesMax)
  }

  get hasActionParts(): boolean {
    return this.#actionParts < readingLimits.answerActionPartsMax
  }

  /**
   * Counts actions that were inspected, or what they act on. Returns false without an error if there were too many before,
   * because an action tree can say that it is incomplete.
   */
  takeActionParts(count: number): boolean {
    const isWithin = this.hasActionParts
    this.#actionParts += count
    return isWithin
  }
}

function spend(limit: string, value: number, max: number): number {
  if (value <= max) return value
  throw new JobRefusal('PayloadTooLarge', `The document has more ${limit} than one answer may contain`, {
    limit,
    max,
    value,
  })
}
