// Parses style declarations of rich text and of /DS: the part of CSS that PDF uses (ISO 32000-2, table 225 and Adobe's
// XFA rich text). Separates those that runs and paragraphs have members for from the rest.
import type { Color } from '../contract/color.js'
import type { Decoration, Paragraph, RunStyle, Script } from '../contract/rich-text.js'
import type { ParagraphAlign, VerticalAlign } from '../contract/text-align.js'
import { lookUp } from '../objects/look-up.js'
import { boldWeight, plainWeight } from './fonts.js'

export interface TextStyle {
  readonly run: Partial<RunStyle>
  readonly paragraph: Partial<Paragraph>
  readonly verticalAlign?: VerticalAlign
  /** Declarations that have no member, as written. */
  readonly unknown?: string
}

type Reader = (value: string) => TextStyle | undefined

/** Maximum number of declarations of one style. */
const declarationsMax = 64
/** Maximum length of a style; longer ones are cut. */
const charactersMax = 4_096

const run = (style: Partial<RunStyle>): TextStyle => ({ run: style, paragraph: {} })
const paragraph = (style: Partial<Paragraph>): TextStyle => ({ run: {}, paragraph: style })

const aligns: Readonly<Record<string, ParagraphAlign>> = {
  left: 'left',
  start: 'left',
  center: 'center',
  right: 'right',
  end: 'right',
  justify: 'justify',
}
export const decorations: readonly Decoration[] = ['underline', 'line-through', 'word']
const verticals: Readonly<Record<string, VerticalAlign>> = { top: 'top', middle: 'middle', bottom: 'bottom' }
const pointsPerUnit: Readonly<Record<string, number>> = {
  '': 1,
  pt: 1,
  px: 0.75,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  pc: 12,
}

const readers: Readonly<Record<string, Reader>> = {
  font: readFont,
  'font-family': (value) => withFamily(value),
  'font-size': (value) => withPoints(value, (size) => (size < 0 ? undefined : run({ size }))),
  'font-weight': withWeight,
  'font-style': (value) => run({ italic: /italic|oblique/.test(value) }),
  color: (value) => withColor(value),
  'text-decoration': (value) => run({ decoration: decorations.filter((word) => value.split(/\s+/).includes(word)) }),
  'letter-spacing': (value) => withPoints(value === 'normal' ? '0' : value, (letterSpacing) => run({ letterSpacing })),
  'xfa-font-horizontal-scale': withScale,
  'text-align': (value) => withAlign(value),
  'text-valign': readVertical,
  'vertical-align': (value) => readVertical(value) ?? withScript(value),
  direction: (value) => (value === 'ltr' || value === 'rtl' ? paragraph({ dir: value }) : undefined),
  'line-height': (value) => withPoints(value, (lineHeight) => (lineHeight > 0 ? paragraph({ lineHeight }) : undefined)),
  'text-indent': (value) => withPoints(value, (textIndent) => paragraph({ textIndent })),
  margin: readMargins,
}

export function parseStyle(source: string | undefined): TextStyle {
  let style: TextStyle = { run: {}, paragraph: {} }
  const unknown: string[] = []
  for (const declaration of (source ?? '').slice(0, charactersMax).split(';').slice(0, declarationsMax)) {
    const colon = declaration.indexOf(':')
    if (colon === -1) continue
    const name = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration.slice(colon + 1).trim()
    const read = lookUp(readers, name)?.(name.startsWith('font') ? value : value.toLowerCase())
    if (read === undefined) unknown.push(`${name}:${value}`)
    else style = mergeStyles(style, read)
  }
  return unknown.length === 0 ? style : { ...style, unknown: unknown.join(';') }
}

export function mergeStyles(under: TextStyle, over: TextStyle): TextStyle {
  return {
    ...under,
    ...over,
    run: { ...under.run, ...over.run },
    paragraph: { ...under.paragraph, ...over.paragraph },
  }
}

/** Returns the members of a style that applies to runs and to paragraphs. */
export const bodyStyleOf = ({ run, paragraph, unknown }: TextStyle): Partial<RunStyle & Paragraph> => ({
  ...run,
  ...paragraph,
  ...(unknown !== undefined && { unknown }),
})

/** Parses `bold italic 12pt Helvetica, sans-serif`: weight and slant precede the size. */
function readFont(value: string): TextStyle | undefined {
  const match = /^(.{0,200}?)(\d{1,6}(?:\.\d{1,6})?(?:pt|px|in|cm|mm|pc))(?:\/\S{1,20})?\s*(.*)$/i.exec(value)
  if (match === null) return withFamily(value)
  const [, before = '', size = '', family = ''] = match
  const around = `${before} ${family}`
  const words = before.trim().toLowerCase()
  const named = withFamily(family === '' ? before : family)
  return run({
    ...named?.run,
    size: points(size) ?? 12,
    weight: /\bbold\b/i.test(around) ? boldWeight : (weightOf(words) ?? plainWeight),
    italic: /italic|oblique/i.test(words),
  })
}

function withFamily(value: string): TextStyle | undefined {
  const family = (value.split(',')[0] ?? '').trim().replace(/^["']|["']$/g, '')
  return family === '' ? undefined : run({ family })
}

function withWeight(value: string): TextStyle | undefined {
  const weight = weightOf(value)
  return weight === undefined ? undefined : run({ weight })
}

const weightWords: Readonly<Record<string, number>> = { lighter: 300, normal: plainWeight, bold: boldWeight }

/** Returns the weight that words or a number of three digits state. */
function weightOf(value: string): number | undefined {
  const [number] = /\b[1-9]\d\d\b/.exec(value) ?? []
  if (number !== undefined) return Math.min(900, Number(number))
  const [word] = /\b(?:lighter|normal|bold)/i.exec(value) ?? []
  return word === undefined ? undefined : lookUp(weightWords, word.toLowerCase())
}

/** Parses a percentage; 100 % is the width of the font. */
function withScale(value: string): TextStyle | undefined {
  const [, percent] = /^(\d{1,6}(?:\.\d{1,6})?)\s*%?$/.exec(value) ?? []
  const horizontalScale = Number(percent) / 100
  return horizontalScale > 0 ? run({ horizontalScale }) : undefined
}

const scripts: Readonly<Record<string, Script>> = { sub: 'sub', super: 'super', baseline: 'normal' }

/** Parses a word, or the distance by which text is raised. */
function withScript(value: string): TextStyle | undefined {
  const raised = points(value.replace(/^\+/, ''))
  const script = lookUp(scripts, value) ?? (raised && (raised > 0 ? 'super' : 'sub'))
  if (script === undefined) return undefined
  return run({ script: script === 0 ? 'normal' : script })
}

function withColor(value: string): TextStyle | undefined {
  const color = cssColor(value)
  return color === undefined ? undefined : run({ color })
}

function cssColor(value: string): Color | undefined {
  if (/^#[0-9a-f]{6}$/.test(value)) return value
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(value)
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`
  const numbers = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value)
  if (numbers === null) return undefined
  const digits = numbers.slice(1).map((number) => Math.min(255, Number(number)).toString(16).padStart(2, '0'))
  return `#${digits.join('')}`
}

function withAlign(value: string): TextStyle | undefined {
  const align = lookUp(aligns, value)
  return align === undefined ? undefined : paragraph({ align })
}

function readVertical(value: string): TextStyle | undefined {
  const verticalAlign = lookUp(verticals, value)
  return verticalAlign === undefined ? undefined : { run: {}, paragraph: {}, verticalAlign }
}

/** Parses one to four lengths as in CSS: top, right, bottom, left; a missing one equals its opposite. */
function readMargins(value: string): TextStyle | undefined {
  const lengths = value.split(/\s+/).slice(0, 4).map(points)
  const [top, right = top, bottom = top, left = right] = lengths
  if (top === undefined || right === undefined || bottom === undefined || left === undefined) return undefined
  return paragraph({ margins: { top, right, bottom, left } })
}

function withPoints(value: string, make: (points: number) => TextStyle | undefined): TextStyle | undefined {
  const length = points(value)
  return length === undefined ? undefined : make(length)
}

function points(value: string): number | undefined {
  const [, number, unit = ''] = /^(-?\d{0,6}(?:\.\d{0,6})?)\s*([a-z]{0,2})$/i.exec(value.trim()) ?? []
  if (number === undefined || number === '' || number === '-' || number === '.') return undefined
  const scale = lookUp(pointsPerUnit, unit.toLowerCase())
  const length = Number(number)
  return scale === undefined || !Number.isFinite(length) ? undefined : length * scale
}
