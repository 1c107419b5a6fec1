// Determines whether an object is a node of the page tree or the field tree of a revision, by following its parents.
import { NotStrict, type StrictRevision } from '../../../strict-reader/strict-document.js'
import type { StrictValue } from '../../../strict-reader/values.js'
import { nameOf, ofKind } from '../../../strict-reader/values-of.js'
import { analysisLimits } from '../analysis-limits.js'
import { entryOf, isInnerNode, itemsOf } from './slot.js'

export class RoleTrees {
  readonly #revision: StrictRevision
  readonly #kids = new Map<number, ReadonlySet<number>>()
  #known: { readonly pages: ReadonlySet<number>; readonly fields: ReadonlySet<number> } | undefined

  constructor(revision: StrictRevision) {
    this.#revision = revision
  }

  has(number: number): boolean {
    try {
      return isPlain(this.#object(number)) && this.#climbs(number)
    } catch (error) {
      if (error instanceof NotStrict) return false
      throw error
    }
  }

  #climbs(start: number): boolean {
    const { pages, fields } = this.#roots()
    const chain: number[] = []
    for (let number = start; chain.length <= analysisLimits.depthMax; ) {
      if (chain.includes(number)) return false
      chain.push(number)
      if (fields.has(number)) return true
      // Every object above this one must be an inner node, because kids of a page are not walked as pages.
      if (pages.has(number)) return chain.slice(1).every((node) => isInnerNode(this.#object(node)))
      const parent = ofKind(entryOf(this.#object(number), 'Parent'), 'reference')?.number
      if (parent === undefined || !this.#kidsOf(parent).has(number)) return false
      number = parent
    }
    return false
  }

  #roots() {
    const catalog = this.#revision.resolve(this.#revision.trailer.entries.get('Root'))
    this.#known ??= {
      pages: this.#numbersIn([entryOf(catalog, 'Pages') ?? null]),
      fields: this.#numbersIn(itemsOf(this.#at(this.#at(catalog, 'AcroForm'), 'Fields'))),
    }
    return this.#known
  }

  #kidsOf(number: number): ReadonlySet<number> {
    const known = this.#kids.get(number)
    if (known !== undefined) return known
    const numbers = this.#numbersIn(itemsOf(this.#at(this.#object(number), 'Kids')))
    this.#kids.set(number, numbers)
    return numbers
  }

  /** Returns the numbers of references whose generation is that of the object. */
  #numbersIn(items: readonly StrictValue[]): ReadonlySet<number> {
    return new Set(
      items.flatMap((item) => {
        const reference = ofKind(item, 'reference')
        const isUsed = reference && this.#revision.generationOf(reference.number) === reference.generation
        return isUsed ? [reference.number] : []
      }),
    )
  }

  #at(value: StrictValue, key: string): StrictValue {
    return this.#revision.resolve(entryOf(value, key))
  }

  #object(number: number): StrictValue {
    const generation = this.#revision.generationOf(number)
    return generation === undefined ? null : this.#revision.object({ number, generation })
  }
}

/** True if a node has no other use: it is no annotation except a widget, and no part of an appearance. */
const isPlain = (node: StrictValue): boolean =>
  ofKind(node, 'dictionary') !== undefined &&
  ['Widget', undefined].includes(nameOf(entryOf(node, 'Subtype'))) &&
  entryOf(node, 'N') === undefined
