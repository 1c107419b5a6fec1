// What was worked out of the document and holds from op to op, so that the next does not look at all of it again. Whoever
// alters what it was worked out of, in another way than through it, has it forgotten.
import { PageStack } from '../annotations/page-stack.js'
import { Places } from '../annotations/places.js'
import { FormIndex } from '../forms/writing/form-index.js'
import type { Change } from './change.js'

export class KeptFacts {
  readonly #stacks = new Map<number, PageStack>()
  readonly #places = new Map<string, Places>()
  #form: FormIndex | undefined

  constructor(private readonly change: Change) {}

  /** What lies on a page. */
  stackOf(page: number): PageStack {
    const known = this.#stacks.get(page)
    if (known !== undefined) return known
    const stack = new PageStack(this.change.reading(), page)
    this.#stacks.set(page, stack)
    return stack
  }

  /** Its list of annotations is altered. */
  forgetStack(page: number): void {
    this.#stacks.delete(page)
  }

  /** Where annotations of a page belong. */
  placesOn(page: number): Places {
    return this.placesIn(`places ${page}`)
  }

  /** Returns the positions of a list's members. */
  placesIn(about: string): Places {
    const known = this.#places.get(about)
    if (known !== undefined) return known
    const places = new Places(this.change, about)
    this.#places.set(about, places)
    return places
  }

  /** What the form holds. */
  get form(): FormIndex {
    this.#form ??= new FormIndex(this.change.reading(), (page) => this.stackOf(page))
    this.#form.reading.budget.renew()
    return this.#form
  }

  /** A field or a widget comes, goes or moves. */
  forgetForm(): void {
    this.#form = undefined
  }
}
