// Reads the members of a sequence in order, as the definition of its structure lists them.
import { Asn1Error, childrenOf, type Element, isContext, isUniversal, tags } from './element.js'

export class Members {
  readonly #elements: readonly Element[]
  #next = 0

  private constructor(
    parent: Element,
    private readonly structure: string,
  ) {
    this.#elements = childrenOf(parent)
  }

  /** Creates the reader of a sequence. `structure`: name of the structure for errors. */
  static of(parent: Element | undefined, structure: string): Members {
    if (!isUniversal(parent, tags.sequence)) throw new Asn1Error(`${structure} is not a sequence`)
    return new Members(parent, structure)
  }

  /** Reads a sequence with an implicit tag, which the caller has checked. */
  static ofTagged(parent: Element, structure: string): Members {
    return new Members(parent, structure)
  }

  /** Reads a mandatory member with a universal tag. */
  take(tag: number): Element {
    const element = this.maybe(tag)
    if (element === undefined) throw new Asn1Error(`${this.structure} lacks a member`)
    return element
  }

  /** Reads an optional member with a universal tag. */
  maybe(tag: number): Element | undefined {
    const element = this.#elements[this.#next]
    if (!isUniversal(element, tag)) return undefined
    this.#next += 1
    return element
  }

  /** Reads an optional member with a context-specific tag. */
  context(tag: number): Element | undefined {
    const element = this.#elements[this.#next]
    if (!isContext(element, tag)) return undefined
    this.#next += 1
    return element
  }

  /** Reads a mandatory member with any tag. */
  any(): Element {
    const element = this.#elements[this.#next]
    if (element === undefined) throw new Asn1Error(`${this.structure} lacks a member`)
    this.#next += 1
    return element
  }

  /** Reads an optional last member with any tag. */
  maybeAny(): Element | undefined {
    return this.#next < this.#elements.length ? this.any() : undefined
  }

  /** Throws if members are left. */
  end(): void {
    if (this.#next < this.#elements.length) throw new Asn1Error(`${this.structure} has unknown members`)
  }
}

/** Returns the elements of a set or sequence of any length. */
export function listOf(parent: Element | undefined, tag: number, structure: string): readonly Element[] {
  if (!isUniversal(parent, tag)) throw new Asn1Error(`${structure} is not a list`)
  return childrenOf(parent)
}

/** Returns the only element of an explicit tag. */
export function explicit(parent: Element): Element {
  const [element, ...others] = childrenOf(parent)
  if (element === undefined || others.length > 0) throw new Asn1Error('an explicit tag contains exactly one element')
  return element
}
