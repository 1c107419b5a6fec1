// Rich text of XFDF as markup, and its plain text.
import { bodyOf } from '../../annotations/plain-text.js'
import { plainTextOf } from '../../annotations/rich-text.js'
import { black } from '../../objects/colors.js'
import { parseRichText } from '../../text/rich-texts.js'
import { writeXml, type XmlOutput } from '../xml/write-xml.js'
import { childNamed, isElement, type XmlTree } from '../xml/xml-tree.js'

/** Returns the body of the rich text, or one around what the element contains instead. */
export const richTextMarkup = (rich: XmlTree): string =>
  writeXml(outputOf(childNamed(rich, 'body') ?? { name: 'body', attributes: new Map(), children: rich.children }))

/** Returns the text of rich text whose styles have no member: a line for every paragraph. */
export const plainRichText = (rich: XmlTree): string => plainTextOf(parseRichText(richTextMarkup(rich), unstyled))

const unstyled = bodyOf({ fontFamily: 'helvetica', fontSize: 12, fontColor: black, textAlign: 'left' })

function outputOf({ name, attributes, children }: Pick<XmlTree, 'name' | 'attributes' | 'children'>): XmlOutput {
  return {
    name,
    attributes: Object.fromEntries(attributes),
    children: children.map((child) => (isElement(child) ? outputOf(child) : child)),
  }
}
