// Converts between rich text of annotations, an XHTML body of paragraphs and spans (ISO 32000-2, 12.7.3.4), and
// paragraphs of runs.
import type { Paragraph, RichText, RunStyle, TextRun } from '../contract/rich-text.js'
import { lookUp } from '../objects/look-up.js'
import { mergeStyles, parseStyle, type TextStyle } from './text-styles.js'
import { elementsIn, isElement, parseXml, type XmlElement, type XmlNode } from './xml.js'

/** Style for text whose style neither the text nor the annotation states. */
export type BodyStyle = RunStyle & Paragraph

const blocks = new Set(['p', 'div', 'ul', 'ol', 'li', 'h1', 'h2', 'h3'])

/** Styles expressed by elements instead of declarations. */
const elementStyles: Readonly<Record<string, Partial<RunStyle>>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  u: { underline: true },
  s: { strikethrough: true },
  strike: { strikethrough: true },
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

export function parseRichText(source: string, standard: BodyStyle): RichText {
  const document = parseXml(source)
  const body = elementsIn(document).find((element) => localName(element) === 'body') ?? document
  const own = styleOf(body)
  const bodyStyle: BodyStyle = { ...standard, ...own.run, ...own.paragraph }
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
      const { run, paragraph } = styleOf(node)
      const own = { run: { ...style.run, ...run }, paragraph: { ...style.paragraph, ...paragraph } }
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
    else if (localName(node) === 'br') addRun('\n', style, writing)
    else takeRuns(node.children, { ...style, ...styleOf(node).run }, writing)
  }
}

function addRun(text: string, style: Partial<RunStyle>, writing: RichTextContext): void {
  if (text === '') return
  writing.runs.push(Object.keys(style).length === 0 ? { text } : { text, style: { ...style } })
}

function styleOf(element: XmlElement): TextStyle {
  const written = lookUp(elementStyles, localName(element)) ?? {}
  const dir = element.attributes.get('dir')?.toLowerCase()
  const attributed: TextStyle = { run: written, paragraph: dir === 'ltr' || dir === 'rtl' ? { dir } : {} }
  return mergeStyles(attributed, parseStyle(element.attributes.get('style')))
}

const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1).toLowerCase()
