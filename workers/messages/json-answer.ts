// An answer as the JSON text sent to clients, serialised in the worker thread: the main thread, which serves many
// clients, only forwards bytes. Long lists are marked in runs of items, so that items can be replaced run by run.
import { JobRefusal } from '../contract/job-refusal.js'

/** Run of items of a list that is a member of the answer, without the commas around it. */
export interface ItemRun {
  readonly member: string
  /** Offsets in bytes. */
  readonly from: number
  readonly to: number
}

export interface JsonAnswer {
  /** JSON text in UTF-8. */
  readonly bytes: Uint8Array
  /** Runs in order of their offsets. */
  readonly runs: readonly ItemRun[]
}

export interface JsonBounds {
  readonly runItems: number
  readonly answerBytesMax: number
}

/** Returns the same text as `JSON.stringify`. Throws `PayloadTooLarge`. */
export function jsonOf(answer: unknown, bounds: JsonBounds): JsonAnswer {
  const text = new JsonText(bounds)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) text.value(answer)
  else text.object(Object.entries(answer))
  return text.finish()
}

class JsonText {
  readonly #bounds: JsonBounds
  readonly #pieces: Uint8Array[] = []
  readonly #runs: ItemRun[] = []
  #length = 0

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
  }

  value(value: unknown): void {
    this.#write(JSON.stringify(value))
  }

  object(members: readonly (readonly [string, unknown])[]): void {
    let before = '{'
    for (const [member, value] of members) {
      // Undefined members are omitted, as by `JSON.stringify`.
      if (value === undefined) continue
      this.#write(`${before}${JSON.stringify(member)}:`)
      before = ','
      if (Array.isArray(value)) this.#list(member, value)
      else this.value(value)
    }
    this.#write(before === '{' ? '{}' : '}')
  }

  finish(): JsonAnswer {
    return { bytes: Buffer.concat(this.#pieces), runs: this.#runs }
  }

  #list(member: string, items: readonly unknown[]): void {
    this.#write('[')
    for (let first = 0; first < items.length; first += this.#bounds.runItems) {
      if (first > 0) this.#write(',')
      const from = this.#length
      this.#write(JSON.stringify(items.slice(first, first + this.#bounds.runItems)).slice(1, -1))
      this.#runs.push({ member, from, to: this.#length })
    }
    this.#write(']')
  }

  #write(text: string): void {
    const piece = Buffer.from(text, 'utf8')
    this.#length += piece.length
    this.#pieces.push(piece)
    const max = this.#bounds.answerBytesMax
    if (this.#length <= max) return
    const details = { limit: 'answerBytesMax', max, value: this.#length }
    throw new JobRefusal('PayloadTooLarge', `The answer has more than ${max} bytes`, details)
  }
}
