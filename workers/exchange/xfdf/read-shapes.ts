// Reads the members of annotations that follow from the geometry and the border of an element of XFDF.

import { lineEndings } from '../../annotations/reading/line-endings.js'
import { clockwise, withoutTurn } from '../../annotations/reading/turns.js'
import type { LineEnding } from '../../contract/line-ending.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import type { PageSpace } from '../../document/page-space.js'
import { lookUp } from '../../objects/look-up.js'
import { isEmpty } from '../../objects/rectangles.js'
import { type ElementReader, UnusableElement } from './element-reader.js'
import { borderWords } from './words.js'

export type Members = Readonly<Record<string, unknown>>

export function rectOf(reader: ElementReader): PdfRect | undefined {
  const [x0, y0, x1, y1] = reader.place('rect', 4) ?? []
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined) return undefined
  return { left: Math.min(x0, x1), bottom: Math.min(y0, y1), right: Math.max(x0, x1), top: Math.max(y0, y1) }
}

/** Returns `rect` in page space. */
export function rectMembers(reader: ElementReader, space: PageSpace): Members {
  const rect = rectOf(reader)
  if (rect === undefined) throw new UnusableElement('rect is missing')
  return { rect: space.toPageBox(rect) }
}

/** Returns the shape within the rectangle, less its fringe, before its rotation. */
export function boxMembers(reader: ElementReader, space: PageSpace): Members {
  const rect = rectOf(reader)
  if (rect === undefined) throw new UnusableElement('rect is missing')
  const [left = 0, bottom = 0, right = 0, top = 0] = reader.place('fringe', 4) ?? []
  const inner = {
    left: rect.left + left,
    bottom: rect.bottom + bottom,
    right: rect.right - right,
    top: rect.top - top,
  }
  const bounds = Math.min(left, bottom, right, top) < 0 || isEmpty(inner) ? rect : inner
  const turn = reader.number('rotation')
  const rotation = turn === undefined ? undefined : clockwise(turn)
  return {
    box: space.toPageBox(withoutTurn(bounds, rotation ?? 0)),
    ...(rotation !== undefined && { rotation }),
  }
}

/** Border of an element. The standard width of the file is one point. */
export function borderMembers(reader: ElementReader): Members {
  const style = reader.word('style', (text) => (styles.has(text) ? text : undefined))
  const dashes = reader.place('dashes')
  // A cloudy border has no place for the word, so that its dashes alone tell.
  const mayBeDashed = style === undefined || style === 'cloudy'
  const isDashed = style === 'dash' || (mayBeDashed && dashes !== undefined && dashes.length > 0)
  if (style === 'bevelled' || style === 'inset' || style === 'underline') reader.ignore('style')
  return {
    strokeWidth: reader.number('width', (width) => width >= 0) ?? 1,
    ...(style === 'solid' && { borderStyle: 'solid', dashArray: null }),
    ...(isDashed && { borderStyle: 'dashed', dashArray: dashes === undefined ? [3] : [...dashes] }),
  }
}

const styles: ReadonlySet<string> = new Set([...Object.values(borderWords), 'cloudy'])

/** Must be called before `borderMembers`, which reads the style too. */
export function cloudMembers(reader: ElementReader): Members {
  const intensity = reader.number('intensity', (value) => value >= 0)
  if (reader.element.attributes.get('style') !== 'cloudy') return {}
  return { cloudyIntensity: intensity === undefined || intensity === 0 ? 1 : intensity }
}

export const endingOf = (reader: ElementReader, name: string): LineEnding | undefined =>
  reader.word(name, (word) => lookUp(lineEndings, word))

export function endingMembers(reader: ElementReader): Members {
  const [start, end] = [endingOf(reader, 'head'), endingOf(reader, 'tail')]
  return start === undefined && end === undefined ? {} : { lineEndings: { start: start ?? 'none', end: end ?? 'none' } }
}
