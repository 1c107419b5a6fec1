// Members of a sequence in their order, as a structure's definition names them: mandatory, optional, tagged.
import { Asn1Error, childrenOf, type Element, is, isContext, tags } from './element.js'

export class Members {
  readonly #elements: readonly Element[]
  #next = 0

  private constructor(
    parent: Element,
    private readonly structure: string,
  ) {
    this.#elements = childrenOf(parent)
  }

  /** `structure` is named in errors. */
  static of(parent: Element | undefined, structure: string): Members {
    if (!is(parent, tags.sequence)) throw new Asn1Error(`${structure} is no sequence`)
    return new Members(parent, structure)
  }

  /** Members of a sequence with an implicit tag, whose tag the caller has checked. */
  static ofTagged(parent: Element, structure: string): Members {
    return new Members(parent, structure)
  }

  take(tag: number): Element {
    const element = this.maybe(tag)
    if (element === undefined) throw new Asn1Error(`${this.structure} lacks a member`)
    return element
  }

  maybe(tag: number): Element | undefined {
    const element = this.#elements[this.#next]
    if (!is(element, tag)) return undefined
    this.#next += 1
    return element
  }

  context(tag: number): Element | undefined {
    const element = this.#elements[this.#next]
    if (!isContext(element, tag)) return undefined
    this.#next += 1
    return element
  }

  any(): Element {
    const element = this.#elements[this.#next]
    if (element === undefined) throw new Asn1Error(`${this.structure} lacks a member`)
    this.#next += 1
    return element
  }

  maybeAny(): Element | undefined {
    return this.#next < this.#elements.length ? this.any() : undefined
  }

  end(): void {
    if (this.#next < this.#elements.length) throw new Asn1Error(`${this.structure} has unknown members`)
  }
}

/** Elements of a set or sequence of any length. */
export function listOf(parent: Element | undefined, tag: number, structure: string): readonly Element[] {
  if (!is(parent, tag)) throw new Asn1Error(`${structure} is no list`)
  return childrenOf(parent)
}

/** The one element of an explicit tag. */
export function explicit(parent: Element): Element {
  const [element, ...others] = childrenOf(parent)
  if (element === undefined || others.length > 0) throw new Asn1Error('an explicit tag contains exactly one element')
  return element
}
