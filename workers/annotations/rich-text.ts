// Writes rich text as an XHTML body of paragraphs and spans (ISO 32000-2, 12.7.3.4), such that reading returns what
// was written.
import type { RichText, RunStyle } from '../contract/rich-text.js'
import { boldWeight, plainWeight } from '../text/fonts.js'
import { lineBreaks } from './plain-text.js'

type Paragraph = Partial<Omit<RichText['paragraphs'][number], 'runs'>>

const opening =
  '<?xml version="1.0"?><body xmlns="http://www.w3.org/1999/xhtml" xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/" xfa:APIVersion="Acrobat:11.0.0" xfa:spec="2.0.2"'

export function richTextSource({ body, paragraphs }: WrittenText): string {
  const written = paragraphs.map(
    ({ runs, ...paragraph }) =>
      `<p${attributes(paragraphStyle(paragraph), paragraph.dir)}>${runs.map(spanOf).join('')}</p>`,
  )
  const { unknown: _, ...style } = body
  return `${opening}${attributes([...runStyle(style), ...paragraphStyle(body)], body.dir)}>${written.join('')}</body>`
}

interface WrittenText {
  readonly body: Partial<RunStyle> & Paragraph
  readonly paragraphs: readonly (Paragraph & { readonly runs: RichText['paragraphs'][number]['runs'] })[]
}

export const plainTextOf = ({ paragraphs }: WrittenText): string =>
  paragraphs.map(({ runs }) => runs.map(({ text }) => text.split(lineBreaks).join('\n')).join('')).join('\n')

function spanOf({ text, style = {} }: RichText['paragraphs'][number]['runs'][number]): string {
  const words = text.split(lineBreaks).map(escaped).join('<br/>')
  const declarations = runStyle(style)
  return declarations.length === 0 ? words : `<span${attributes(declarations)}>${words}</span>`
}

function attributes(declarations: readonly string[], dir?: string): string {
  const style = declarations.length === 0 ? '' : ` style="${escaped(declarations.join(';'))}"`
  return `${dir === undefined ? '' : ` dir="${dir}"`}${style}`
}

function runStyle(style: Partial<RunStyle>): string[] {
  const { family, weight, italic, size, color, decoration, script, letterSpacing, horizontalScale, unknown } = style
  return [
    family !== undefined && `font-family:${family.replace(/[;,]/g, ' ')}`,
    size !== undefined && `font-size:${size}pt`,
    color !== undefined && `color:${color}`,
    weight !== undefined && `font-weight:${weightWord(weight)}`,
    italic !== undefined && `font-style:${italic ? 'italic' : 'normal'}`,
    decoration !== undefined && `text-decoration:${decoration.length === 0 ? 'none' : decoration.join(' ')}`,
    script !== undefined && `vertical-align:${script === 'normal' ? 'baseline' : script}`,
    letterSpacing !== undefined && `letter-spacing:${letterSpacing}pt`,
    horizontalScale !== undefined && `xfa-font-horizontal-scale:${horizontalScale * 100}%`,
    unknown !== undefined && unknown !== '' && unknown,
  ].filter((declaration) => declaration !== false)
}

/** Returns the word for the two usual weights, which every reader knows. */
const weightWord = (weight: number): string =>
  weight === plainWeight ? 'normal' : weight === boldWeight ? 'bold' : String(weight)

function paragraphStyle({ align, lineHeight, margins, textIndent, unknown }: Paragraph): string[] {
  const sides = margins && [margins.top, margins.right, margins.bottom, margins.left].map((side) => `${side}pt`)
  return [
    align !== undefined && `text-align:${align}`,
    lineHeight !== undefined && `line-height:${lineHeight}pt`,
    sides !== undefined && `margin:${sides.join(' ')}`,
    textIndent !== undefined && `text-indent:${textIndent}pt`,
    unknown !== undefined && unknown !== '' && unknown,
  ].filter((declaration) => declaration !== false)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Omits characters that XML cannot contain. */
const escaped = (text: string): string =>
  text.replace(unwritable, '').replace(/[&<>"]/g, (character) => entities[character] ?? character)

const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
