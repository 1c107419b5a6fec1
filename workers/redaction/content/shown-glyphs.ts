// Determines whether a device that a page is drawn on receives every glyph of the page: only then can glyphs under a
// mark be passed to the engine one by one.
import type { PDFObject } from 'mupdf'
import { nameIn, type Operator, operatorsOf } from '../../content/operators.js'
import { entriesOf, entry, isArray, isMissing, nameOf } from '../../objects/values.js'
import type { DrawnContent } from './contents-drawn.js'
import { isDrawnFont } from './used-glyphs.js'

/** Maximum number of resources of one kind that are inspected. */
const entriesMax = 1_000

/**
 * Returns whether every glyph is received. The engine hides layers that are off, draws Type3 glyphs as their component
 * drawings, and skips some text that other readers show: outside a text object, in an undefined rendering mode, in a
 * pattern that it cannot draw.
 */
export function areGlyphsShown(catalog: PDFObject, contents: readonly DrawnContent[]): boolean {
  if (!isMissing(entry(catalog, 'OCProperties'))) return false
  return contents.every((drawn) => !hasDrawnFont(drawn.resources) && isPlainText(drawn))
}

function hasDrawnFont(resources: PDFObject): boolean {
  const fonts = entriesOf(entry(resources, 'Font'), entriesMax).map(([, font]) => font)
  const states = entriesOf(entry(resources, 'ExtGState'), entriesMax).map(([, state]) => entry(state, 'Font', 0))
  return fonts.length >= entriesMax || states.length >= entriesMax || [...fonts, ...states].some(isDrawnFont)
}

interface TextState {
  readonly isInText: boolean
  /** True if the fill is a pattern, or content that may be one. */
  readonly fillsPattern: boolean
  readonly strokesPattern: boolean
}

type Step = (operator: Operator, resources: PDFObject, now: TextState) => Partial<TextState>

const fillsPlain: Step = () => ({ fillsPattern: false })
const strokesPlain: Step = () => ({ strokesPattern: false })

const steps: Readonly<Record<string, Step>> = {
  BT: () => ({ isInText: true }),
  ET: () => ({ isInText: false }),
  cs: ({ operands }, resources) => ({ fillsPattern: isPatternSpace(operands, resources) }),
  CS: ({ operands }, resources) => ({ strokesPattern: isPatternSpace(operands, resources) }),
  scn: ({ operands }, _, { fillsPattern }) => ({ fillsPattern: fillsPattern || endsInName(operands) }),
  SCN: ({ operands }, _, { strokesPattern }) => ({ strokesPattern: strokesPattern || endsInName(operands) }),
  ...Object.fromEntries(['g', 'rg', 'k'].map((name) => [name, fillsPlain])),
  ...Object.fromEntries(['G', 'RG', 'K'].map((name) => [name, strokesPlain])),
}

const shows = new Set(['Tj', 'TJ', "'", '"'])
const modes = /^[0-7]$/

function isPlainText({ content, resources }: DrawnContent): boolean {
  const levels: TextState[] = []
  let now: TextState = { isInText: false, fillsPattern: false, strokesPattern: false }
  for (const operator of operatorsOf(content)) {
    const { name, operands } = operator
    const isPatterned = now.fillsPattern || now.strokesPattern
    if (shows.has(name) && (!now.isInText || isPatterned)) return false
    if (name === 'Do' && isPatterned && isForm(operands, resources)) return false
    if (name === 'Tr' && !modes.test(operands.at(-1) ?? '')) return false
    if (name === 'q') levels.push(now)
    else if (name === 'Q') now = { ...(levels.pop() ?? now), isInText: now.isInText }
    else now = { ...now, ...steps[name]?.(operator, resources, now) }
  }
  return true
}

const endsInName = (operands: readonly string[]): boolean => nameIn(operands.at(-1)) !== undefined

function isPatternSpace(operands: readonly string[], resources: PDFObject): boolean {
  const name = nameIn(operands.at(-1)) ?? ''
  const space = entry(resources, 'ColorSpace', name)
  return name === 'Pattern' || nameOf(isArray(space) ? entry(space, 0) : space) === 'Pattern'
}

/** True for a form, which inherits the colours of the content that draws it. */
const isForm = (operands: readonly string[], resources: PDFObject): boolean =>
  nameOf(entry(resources, 'XObject', nameIn(operands.at(-1)) ?? '', 'Subtype')) !== 'Image'
