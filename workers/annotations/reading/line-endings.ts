// Line endings by their names in the file.
import type { PDFObject } from 'mupdf'
import type { LineEnding, LineEndings } from '../../contract/line-ending.js'
import { lookUp } from '../../objects/look-up.js'
import { entry, nameOf } from '../../objects/values.js'

export const lineEndings: Readonly<Record<string, LineEnding>> = {
  None: 'none',
  Square: 'square',
  Circle: 'circle',
  Diamond: 'diamond',
  OpenArrow: 'open-arrow',
  ClosedArrow: 'closed-arrow',
  Butt: 'butt',
  ROpenArrow: 'r-open-arrow',
  RClosedArrow: 'r-closed-arrow',
  Slash: 'slash',
}

export const lineEndingOf = (name: PDFObject): LineEnding => lookUp(lineEndings, nameOf(name)) ?? 'none'

export function lineEndingsOf({ object }: { readonly object: PDFObject }): { lineEndings: LineEndings } {
  const pair = entry(object, 'LE')
  return { lineEndings: { start: lineEndingOf(entry(pair, 0)), end: lineEndingOf(entry(pair, 1)) } }
}
