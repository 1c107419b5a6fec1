// Reads attributes and children of an element of XFDF, and notes those that nothing asked for or that are malformed, so
// that an import can name them.
import { limits } from '../../limits.js'
import { exchangeLimits, shown } from '../exchange-limits.js'
import { elementsIn, textIn, type XmlTree } from '../xml/xml-tree.js'

/** Reason for which an annotation cannot be imported at all. */
export class UnusableElement extends Error {}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/

export class ElementReader {
  readonly #unread: Set<string>

  constructor(readonly element: XmlTree) {
    const names = [...element.attributes.keys()].filter((name) => !/^xmlns\b|^xml:/.test(name))
    this.#unread = new Set([...names, ...elementsIn(element).map(({ name }) => `<${name}>`)])
  }

  /** Names of attributes, and of children as `<name>`, that were not read or not usable. */
  get ignored(): readonly string[] {
    return [...this.#unread].map(shown)
  }

  /** Returns an attribute; undefined if it is missing. */
  text(name: string): string | undefined {
    this.#unread.delete(name)
    return this.element.attributes.get(name)
  }

  child(name: string): XmlTree | undefined {
    this.#unread.delete(`<${name}>`)
    return elementsIn(this.element).find((child) => child.name === name)
  }

  childText(name: string): string | undefined {
    const child = this.child(name)
    return child && textIn(child)
  }

  /** Notes an attribute or a child, `<name>`, that has a value which cannot be used. */
  ignore(name: string): undefined {
    this.#unread.add(name)
  }

  /** Returns the value of a table for an attribute; an unknown word is ignored. */
  word<Value>(name: string, table: (word: string) => Value | undefined): Value | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : (table(text) ?? this.ignore(name))
  }

  number(name: string, isUsable: (value: number) => boolean = () => true): number | undefined {
    return this.word(name, (text) => {
      const value = numberIn(text)
      return value !== undefined && isUsable(value) ? value : undefined
    })
  }

  flag(name: string): boolean | undefined {
    return this.word(name, (text) => ({ yes: true, true: true, no: false, false: false })[text.trim().toLowerCase()])
  }

  color(name: string): string | undefined {
    return this.word(name, (text) => (/^#[0-9a-f]{6}$/i.test(text.trim()) ? text.trim().toLowerCase() : undefined))
  }

  /** Returns the numbers of an attribute. Throws `UnusableElement` if they are malformed or not as many. */
  place(name: string, count?: number): readonly number[] | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : placeIn(text, name, count)
  }
}

/** Returns the numbers of a text. Throws `UnusableElement`. */
export function placeIn(text: string, name: string, count?: number): readonly number[] {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '')
  if (words.length > exchangeLimits.numbersMax) throw new UnusableElement(`${name} has too many numbers`)
  const values = words.map((word) => {
    const value = numberIn(word)
    if (value === undefined)
      throw new UnusableElement(`${name} has ${JSON.stringify(shown(word))} in place of a number`)
    return value
  })
  if (count !== undefined && values.length !== count) throw new UnusableElement(`${name} must have ${count} numbers`)
  return values
}

function numberIn(text: string): number | undefined {
  const word = text.trim()
  if (word.length > 64 || !numberPattern.test(word)) return undefined
  const value = Number(word)
  return Math.abs(value) <= limits.numberMax ? value : undefined
}
