// Reads text alternatives in the content of a page: properties of marked content (ISO 32000-2, 14.6 and 14.9) that stand
// in the content itself or among the resources.
import type { PDFDocument, PDFObject } from 'mupdf'
import { nameIn, type Operator, operatorsOf } from '../content/operators.js'
import { entriesOf, entry, isDictionary, textOf } from '../objects/values.js'
import { contentsDrawnBy, type DrawnContent } from './content/contents-drawn.js'
import { valueIn } from './content/inline-images.js'
import { descriptionKeys } from './descriptions.js'
import type { Texts } from './stored-texts.js'

const entriesMax = 1_000

/** A key of a text alternative, or a key with a character in another form. Other content is not parsed. */
const mayDescribe = /\/(?:ActualText|Alt|E|T)(?=[\0\t\n\f\r (<])|\/[^\0\t\n\f\r ()<>[\]{}/%]*#/

/** False if none of the content has a text alternative. */
export const mayHaveDescriptions = (contents: readonly DrawnContent[]): boolean =>
  contents.some(({ content, resources }) => mayDescribe.test(content) || [...namedDescriptions(resources)].length > 0)

/** Throws `MalformedPdf`. */
export function* contentDescriptions(pdf: PDFDocument, page: PDFObject): Texts {
  for (const { content, resources } of contentsDrawnBy(page)) {
    yield* namedDescriptions(resources)
    if (!mayDescribe.test(content)) continue
    for (const operator of operatorsOf(content)) yield* textsOf(inlineProperties(pdf, operator))
  }
}

function* namedDescriptions(resources: PDFObject): Texts {
  for (const [, properties] of entriesOf(entry(resources, 'Properties'), entriesMax)) yield* textsOf(properties)
}

function* textsOf(properties: PDFObject | undefined): Texts {
  if (properties === undefined || !isDictionary(properties)) return
  for (const key of descriptionKeys) {
    const text = textOf(entry(properties, key))
    if (text !== undefined) yield text
  }
}

function inlineProperties(pdf: PDFDocument, { name, operands }: Operator): PDFObject | undefined {
  if (name !== 'BDC' && name !== 'DP') return undefined
  const list = operands[1] ?? ''
  return nameIn(list) === undefined ? valueIn(pdf, list) : undefined
}
