// Converts between rich text of annotations, an XHTML body of paragraphs and spans (ISO 32000-2, 12.7.3.4), and
// paragraphs of runs.
import { isDeepStrictEqual } from 'node:util'
import type { BodyStyle, Paragraph, RichText, RunStyle, TextRun } from '../contract/rich-text.js'
import { lookUp } from '../objects/look-up.js'
import { boldWeight } from './fonts.js'
import { bodyStyleOf, decorations, mergeStyles, parseStyle, type TextStyle } from './text-styles.js'
import { elementsIn, isElement, parseXml, type XmlElement, type XmlNode } from './xml.js'

/** Line break within a paragraph, as common programs write it. */
export const lineBreak = '\r'

const blocks = new Set(['p', 'div', 'ul', 'ol', 'li', 'h1', 'h2', 'h3'])

/** Styles expressed by elements instead of declarations. */
const elementStyles: Readonly<Record<string, Partial<RunStyle>>> = {
  b: { weight: boldWeight },
  strong: { weight: boldWeight },
  i: { italic: true },
  em: { italic: true },
  u: { decoration: ['underline'] },
  s: { decoration: ['line-through'] },
  strike: { decoration: ['line-through'] },
  sub: { script: 'sub' },
  sup: { script: 'super' },
}

interface RichTextContext {
  readonly paragraph: Paragraph
  readonly runs: TextRun[]
}

/** Style of a block, with what it inherits. */
interface BlockStyle {
  readonly run: Partial<RunStyle>
  readonly paragraph: Paragraph
}

/** `standard`: style of text whose style the source does not state. */
export function parseRichText(source: string, standard: BodyStyle): RichText {
  const document = parseXml(source)
  const body = elementsIn(document).find((element) => localName(element) === 'body') ?? document
  const bodyStyle: BodyStyle = { ...standard, ...bodyStyleOf(styleOf(body)) }
  const { align, dir } = bodyStyle
  const paragraphs: RichTextContext[] = []
  addParagraphs(body.children, { run: {}, paragraph: { align, dir } }, paragraphs)
  return { body: bodyStyle, paragraphs: paragraphs.map(({ paragraph, runs }) => ({ ...paragraph, runs })) }
}

/** Adds a paragraph for every innermost block. Content between blocks continues the paragraph before it. */
function addParagraphs(nodes: readonly XmlNode[], style: BlockStyle, paragraphs: RichTextContext[]): void {
  let current: RichTextContext | undefined
  const begin = ({ paragraph }: BlockStyle): RichTextContext => {
    const begun: RichTextContext = { paragraph, runs: [] }
    paragraphs.push(begun)
    return begun
  }
  for (const node of nodes) {
    if (isBlock(node)) {
      const { run, paragraph, unknown } = styleOf(node)
      const stated = { ...paragraph, ...(unknown !== undefined && { unknown }) }
      const own = { run: { ...style.run, ...run }, paragraph: { ...style.paragraph, ...stated } }
      if (node.children.some(isBlock)) addParagraphs(node.children, own, paragraphs)
      else takeRuns(node.children, own.run, begin(own))
      current = paragraphs.at(-1)
    } else if (isElement(node) || node.trim() !== '') {
      current ??= begin(style)
      takeRuns([node], style.run, current)
    }
  }
}

const isBlock = (node: XmlNode): node is XmlElement => isElement(node) && blocks.has(localName(node))

/** Collects runs; nested elements inherit styles, and the parser bounds the depth. */
function takeRuns(nodes: readonly XmlNode[], style: Partial<RunStyle>, writing: RichTextContext): void {
  for (const node of nodes) {
    if (!isElement(node)) addRun(node, style, writing)
    else if (localName(node) === 'br') addRun(lineBreak, style, writing)
    else takeRuns(node.children, inlineStyle(style, node), writing)
  }
}

/** Adds the style of an element to the one that it inherits. Lines that elements stand for add up. */
function inlineStyle(inherited: Partial<RunStyle>, element: XmlElement): Partial<RunStyle> {
  const { run, unknown } = styleOf(element)
  const around = lookUp(elementStyles, localName(element))?.decoration && inherited.decoration
  const decoration = around && decorations.filter((line) => [...around, ...(run.decoration ?? [])].includes(line))
  return { ...inherited, ...run, ...(decoration && { decoration }), ...(unknown !== undefined && { unknown }) }
}

/** Adds text, to the run before it if that has the same style. */
function addRun(text: string, style: Partial<RunStyle>, { runs }: RichTextContext): void {
  if (text === '') return
  const last = runs.at(-1)
  if (last !== undefined && isDeepStrictEqual(last.style ?? {}, style)) last.text += text
  else runs.push(Object.keys(style).length === 0 ? { text } : { text, style: { ...style } })
}

function styleOf(element: XmlElement): TextStyle {
  const written = lookUp(elementStyles, localName(element)) ?? {}
  const dir = element.attributes.get('dir')?.toLowerCase()
  const attributed: TextStyle = { run: written, paragraph: dir === 'ltr' || dir === 'rtl' ? { dir } : {} }
  return mergeStyles(attributed, parseStyle(element.attributes.get('style')))
}

const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1).toLowerCase()
