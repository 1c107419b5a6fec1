// Divides a line into units that no other letter comes between: a glyph, the further letters that it stands for, and the
// marks on it.
import type { Point } from 'mupdf'
import { along, type EngineLine, type Extent, endOf, extentOf, type LineCharacter } from './engine-lines.js'
import { isMark, type OwnGlyphs } from './own-glyphs.js'

export interface Unit extends Extent {
  /** In logical order. */
  readonly characters: readonly LineCharacter[]
  readonly size: number
}

export const textOf = ({ characters }: Pick<Unit, 'characters'>): string => characters.map(({ text }) => text).join('')

/** True for spaces, marks and controls. */
const isSmall = (text: string): boolean => /^[\s\p{Mn}\p{Cf}]$/u.test(text)

/** Mark with a glyph of its own, which may be drawn before or after the letter it stands on. */
interface LooseMark {
  readonly middle: number
  readonly characters: LineCharacter[]
}

/** Largest extent, in ems, of a character that has no width. */
const flat = 1e-4
/** Distance in ems between the end of a glyph and further letters that it stands for. */
const atEnd = 0.02

/** Returns the units in the order in which they were drawn, without the spaces that the engine added. */
export function unitsOf(
  { characters, direction }: Pick<EngineLine, 'characters' | 'direction'>,
  glyphs: OwnGlyphs,
): readonly Unit[] {
  const units: OpenUnit[] = []
  let loose: LooseMark[] = []
  for (const character of characters) {
    const { text, origin, size, quad } = character
    const last = units.at(-1)
    const extent = extentOf(quad, direction)
    const isFlat = extent.to - extent.from <= flat * size
    const isOwn = isSmall(text) && glyphs.has(text, origin)
    const isFurther = last !== undefined && isFlat && !isOwn && Math.abs(extent.from - last.to) <= atEnd * size
    if (text === ' ' && !isOwn && !isFurther) continue
    const mark = isFlat && last !== undefined && isMark(text) ? glyphs.markAfter(text, last.origin) : undefined
    if (mark !== undefined) {
      const placed = { ...character, origin: mark.origin }
      loose.push({ middle: along(mark.middle, direction), characters: [placed] })
    } else if (isFurther && loose.length > 0 && isMark(text)) loose.at(-1)?.characters.push(character)
    else if (isFurther) {
      // Whatever is written before a further letter of a glyph belongs to that glyph.
      last.own.push(...loose.flatMap((one) => one.characters), character)
      loose = []
    } else {
      const unit = new OpenUnit(character, extent)
      units.push(unit)
      place(loose, last, unit)
      loose = []
    }
  }
  place(loose, units.at(-1), undefined)
  return units
}

class OpenUnit implements Unit {
  readonly own: LineCharacter[]
  readonly before: LooseMark[] = []
  readonly after: LooseMark[] = []
  readonly from: number
  readonly to: number

  constructor(character: LineCharacter, { from, to }: Extent) {
    this.own = [character]
    this.from = from
    this.to = to
  }

  get origin(): Point {
    return this.own[0]?.origin ?? [0, 0]
  }

  get size(): number {
    return this.own[0]?.size ?? 0
  }

  /** Marks stand where the letter ends, as the further letters of a ligature do. */
  get characters(): readonly LineCharacter[] {
    const [first, ...others] = this.own
    if (first === undefined) return []
    const marks = [...this.before.toReversed(), ...this.after].flatMap(({ characters }) => characters)
    const quad = endOf(first.quad)
    return [first, ...[...others, ...marks].map((one) => ({ ...one, quad }))]
  }
}

/** Share of the size of a letter that a mark of the next letter may reach over it. */
const overlap = 0.15

/**
 * Puts each mark on its letter. Where a program draws from right to left, that is the letter before it; from left to
 * right it is the letter behind, unless the mark is clearly on the one before.
 */
function place(marks: readonly LooseMark[], previous: OpenUnit | undefined, next: OpenUnit | undefined): void {
  for (const mark of marks) {
    const isOnPrevious =
      previous !== undefined &&
      (next === undefined || next.from < previous.from || mark.middle < previous.to - overlap * previous.size)
    if (isOnPrevious) previous.after.push(mark)
    else next?.before.push(mark)
  }
}
