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

export function parseRichText(source: string, standard: BodyStyle): RichText {
  const document = parseXml(source)
  const body = elementsIn(document).find((element) => localName(element) === 'body') ?? document
  const own = styleOf(body)
  const bodyStyle: BodyStyle = { ...standard, ...own.run, ...own.paragraph }
  const { align, dir } = bodyStyle
  const paragraphs: RichTextContext[] = []
  for (const child of body.children) {
    const isBlock = isElement(child) && blocks.has(localName(child))
    if (isBlock || paragraphs.length === 0) {
      if (!isElement(child) && child.trim() === '') continue
      const style = isBlock ? styleOf(child) : { run: {}, paragraph: {} }
      paragraphs.push({ paragraph: { align, dir, ...style.paragraph }, runs: [] })
      takeRuns(isBlock ? child.children : [child], style.run, last(paragraphs))
    } else if (isElement(child) || child.trim() !== '') takeRuns([child], {}, last(paragraphs))
  }
  return { body: bodyStyle, paragraphs: paragraphs.map(({ paragraph, runs }) => ({ ...paragraph, runs })) }
}

/** Collects runs; nested elements inherit styles, and the parser bounds the depth. */
function takeRuns(nodes: readonly XmlNode[], style: Partial<RunStyle>, writing: RichTextContext | undefined): void {
  for (const node of nodes) {
    if (!isElement(node)) addRun(node, style, writing)
    else if (localName(node) === 'br') addRun('\n', style, writing)
    else takeRuns(node.children, { ...style, ...styleOf(node).run }, writing)
  }
}

function addRun(text: string, style: Partial<RunStyle>, writing: RichTextContext | undefined): void {
  if (text === '') return
  writing?.runs.push(Object.keys(style).length === 0 ? { text } : { text, style: { ...style } })
}

function styleOf(element: XmlElement): TextStyle {
  const written = lookUp(elementStyles, localName(element)) ?? {}
  const dir = element.attributes.get('dir')?.toLowerCase()
  const attributed: TextStyle = { run: written, paragraph: dir === 'ltr' || dir === 'rtl' ? { dir } : {} }
  return mergeStyles(attributed, parseStyle(element.attributes.get('style')))
}

const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(':') + 1).toLowerCase()

const last = (paragraphs: readonly RichTextContext[]): RichTextContext | undefined => paragraphs.at(-1)
