// Filters properties of marked content (ISO 32000-2, 14.6): on a redacted page only references to the structure and to
// layers are retained, and those text alternatives that say nothing about what was removed. All others may contain the
// redacted words.
import type { PDFDocument, PDFObject } from 'mupdf'
import { nameIn, type Operator } from '../../content/operators.js'
import { entry, integerOf, isDictionary, nameOf, textOf } from '../../objects/values.js'
import { valueIn } from './inline-images.js'
import { type Alternatives, alternativeKeys } from './text-alternatives.js'

const layerTypes = new Set(['OCG', 'OCMD'])
/** Greatest length of an alternative that is retained. */
const textMax = 10_000

export interface KeptProperties {
  /** Returns the operator, with its alternatives or without. */
  readonly written: (hasAlternatives: boolean) => string
  readonly alternatives: Alternatives
  /** The layer that the content is on, with the name of the resource, which stays in use. */
  readonly layer?: { readonly name: string; readonly object: PDFObject }
}

/** Returns the retained operands of `BDC` and `DP`. */
export function retainedProperties(
  pdf: PDFDocument,
  { name, operands }: Operator,
  properties: PDFObject,
): KeptProperties {
  const [tag = '/Span', list = ''] = operands
  const called = nameIn(list)
  const object = called === undefined ? valueIn(pdf, list) : entry(properties, called)
  if (called !== undefined && layerTypes.has(nameOf(entry(object, 'Type')) ?? ''))
    return { written: () => `${tag} ${list} ${name}`, alternatives: [], layer: { name: called, object } }
  const id = isDictionary(object) ? integerOf(entry(object, 'MCID')) : undefined
  const alternatives = name === 'BDC' ? alternativesIn(object) : []
  const entries = id === undefined ? [] : [`/MCID ${id}`]
  const texts = alternatives.map(([key, text]) => `/${key}<${utf16(text)}>`)
  return { written: (all) => `${tag} <<${[...entries, ...(all ? texts : [])].join('')}>> ${name}`, alternatives }
}

const alternativesIn = (properties: PDFObject): Alternatives =>
  isDictionary(properties)
    ? alternativeKeys.flatMap((key) => {
        const text = textOf(entry(properties, key))
        return text === undefined || text.length > textMax ? [] : [[key, text] as const]
      })
    : []

const utf16 = (text: string): string => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex').toUpperCase()
