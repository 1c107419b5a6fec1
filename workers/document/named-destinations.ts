// Destinations by name: a name tree since PDF 1.2, a dictionary before (ISO 32000-2, 12.3.2.4).
import type { PDFObject } from 'mupdf'
import { nameTree } from '../objects/trees.js'
import { entry, isArray, isDictionary, isMissing } from '../objects/values.js'

export class NamedDestinations {
  readonly #catalog: PDFObject
  #tree: ReadonlyMap<string, PDFObject> | undefined

  constructor(catalog: PDFObject) {
    this.#catalog = catalog
  }

  /** Returns the array of the destination; undefined if the name is unknown. */
  get(name: string): PDFObject | undefined {
    const old = entry(this.#catalog, 'Dests', name)
    return arrayOf(isMissing(old) ? this.#fromTree(name) : old)
  }

  #fromTree(name: string): PDFObject | undefined {
    this.#tree ??= new Map(nameTree(entry(this.#catalog, 'Names', 'Dests')))
    return this.#tree.get(name)
  }
}

function arrayOf(value: PDFObject | undefined): PDFObject | undefined {
  if (value === undefined) return undefined
  const array = isDictionary(value) ? entry(value, 'D') : value
  return isArray(array) ? array : undefined
}
