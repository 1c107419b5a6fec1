// Writes anchors into content, and takes them out of what the engine made of it. The engine puts the advance of removed
// text before the next shown text, as a number in units of its own size and scale; if the text after it has others, the
// rest of the line moves. An anchor is a glyph without advance, far outside of the page, that is shown before size or
// scale changes within a line: the engine writes the number before it, in the right units.
import { nameIn, type Operator, operatorsOf } from '../../content/operators.js'

/** Returns the resource name under which the font of anchors stands in for a font, which is given as written. */
export type NameAnchor = (font: string) => string

/** Text state (ISO 32000-2, table 102) as written; undefined if the content does not state it. */
interface TextState {
  readonly font?: string | undefined
  readonly size?: string | undefined
  readonly scale?: string | undefined
  readonly spacing?: string | undefined
  readonly rise?: string | undefined
}

/** State at the start of a page; a form continues that of the content that draws it. */
export const pageState: TextState = { scale: '100', spacing: '0', rise: '0' }

/** Rise that no text has, which is beyond every page. */
const anchorRise = 9_999_999
/** Not code 32, to which word spacing applies. */
export const anchorCode = 0x53

/** Operators that content needs, in this order, to change size or scale between two texts. */
const needed = [/\bT[fz]\b/g, /\bT[jJ]\b/g, /\bT[fz]\b/g, /\bT[jJ]\b/g]

/** False for content that is not worth parsing. Each part of it is searched once: one pattern for all would try every pair. */
function mayNeedAnchors(content: string): boolean {
  let at = 0
  for (const pattern of needed) {
    pattern.lastIndex = at
    if (!pattern.test(content)) return false
    at = pattern.lastIndex
  }
  return true
}

type Step = (operands: readonly string[], isFontSet: IsFontSet) => TextState
/** Returns whether an external graphics state sets the font. */
export type IsFontSet = (state: string | undefined) => boolean

const steps: Readonly<Record<string, Step>> = {
  Tf: ([font, size]) => ({ font, size }),
  Tz: ([scale]) => ({ scale }),
  Tc: ([spacing]) => ({ spacing }),
  Ts: ([rise]) => ({ rise }),
  gs: ([name], isFontSet) => (isFontSet(nameIn(name)) ? { font: undefined, size: undefined } : {}),
}
const places = new Set(['BT', 'Td', 'TD', 'Tm', 'T*'])
const shows = new Set(['Tj', 'TJ'])

export interface Anchoring {
  /** State that the content begins with. */
  readonly start: TextState
  readonly nameAnchor: NameAnchor
  readonly isFontSet: IsFontSet
}

/** Returns the content with anchors; undefined if it needs none. */
export function withAnchors(content: string, { start, nameAnchor, isFontSet }: Anchoring): string | undefined {
  if (!mayNeedAnchors(content)) return undefined
  const pieces: string[] = []
  const levels: TextState[] = []
  let now = start
  /** State of the last text since text was placed; what follows it continues its line. */
  let last: TextState | undefined
  let isAnchored = false
  for (const { name, operands, text } of operatorsOf(content)) {
    if (name === 'q') levels.push(now)
    else if (name === 'Q') now = levels.pop() ?? now
    else if (places.has(name)) last = undefined
    else if (shows.has(name)) {
      const anchor = last && anchorBetween(last, now, nameAnchor)
      if (anchor !== undefined) pieces.push(anchor)
      isAnchored ||= anchor !== undefined
      last = now
    } else now = { ...now, ...steps[name]?.(operands, isFontSet) }
    pieces.push(text)
  }
  return isAnchored ? pieces.join('\n') : undefined
}

/** Returns the anchor in the former state, and the operators that restore the present one; undefined if none is needed. */
function anchorBetween(former: TextState, now: TextState, nameAnchor: NameAnchor): string | undefined {
  const { font, size, scale } = former
  if (font === now.font && size === now.size && scale === now.scale) return undefined
  if (font === undefined || now.font === undefined || !isSize(size) || !isSize(now.size)) return undefined
  if (scale !== now.scale && (!isSize(scale) || !isSize(now.scale))) return undefined
  const set = (value: string | undefined, operator: string): string =>
    value === undefined ? '' : `${value} ${operator}`
  return [
    `${nameAnchor(font)} ${size} Tf`,
    set(scale, 'Tz'),
    now.spacing === undefined ? '' : '0 Tc',
    `${anchorRise} Ts <${anchorCode.toString(16)}> Tj`,
    `${now.font} ${now.size} Tf`,
    set(now.scale, 'Tz'),
    set(now.spacing, 'Tc'),
    set(now.rise ?? '0', 'Ts'),
  ].join(' ')
}

/** True for a number that is not zero: nothing can be measured in units of no size. */
const isSize = (value: string | undefined): value is string => {
  const size = Number(value)
  return value !== undefined && Number.isFinite(size) && size !== 0
}

export interface AnchorFonts {
  /** Fonts that anchors stand in for, as written, by resource name. */
  readonly fonts: ReadonlyMap<string, string>
  /** Start of these resource names, and of no others. */
  readonly prefix: string
}

export interface Anchored extends AnchorFonts {
  /** Returns whether the engine kept a font: it drops those of which all text was removed. */
  readonly isKept: (font: string) => boolean
}

/** Returns content without its anchors, but with the numbers before them. */
export function withoutAnchors(content: string, { fonts, prefix, isKept }: Anchored): string {
  if (fonts.size === 0 || !content.includes(prefix)) return content
  const operators = [...operatorsOf(content)]
  const anchoredBy = ({ name, operands }: Operator): string | undefined =>
    name === 'Tf' ? fonts.get(nameIn(operands[0]) ?? '') : undefined
  // A number moves the text alike in any font of the line's direction.
  let other = operators.find((one) => one.name === 'Tf' && anchoredBy(one) === undefined)?.operands[0]
  const pieces: string[] = []
  const levels: (string | undefined)[] = []
  /** Operator that selects the font and size of an anchor; undefined outside of anchors. */
  let selection: string | undefined
  for (const operator of operators) {
    const { name, operands, text } = operator
    if (name === 'q') levels.push(selection)
    if (name === 'Q') selection = levels.pop()
    if (name === 'Tf') {
      const font = anchoredBy(operator)
      selection = font && `${isKept(font) ? font : other} ${operands[1]} Tf`
      if (font !== undefined) continue
      other = operands[0]
    } else if (name === 'Ts' && Number(operands[0]) >= anchorRise) continue
    else if (selection !== undefined && shows.has(name)) {
      const numbers = numbersShown(operator)
      if (numbers !== '' && other !== undefined) pieces.push(selection, `[${numbers}] TJ`)
      continue
    }
    pieces.push(text)
  }
  return pieces.join('\n')
}

/** Returns the numbers of an array of strings and numbers. */
const numbersShown = ({ name, operands: [array = ''] }: Operator): string =>
  name === 'TJ' ? array.replace(/\((?:\\[\s\S]|[^\\()])*\)|<[^<>]*>|[[\]]/g, ' ').trim() : ''
