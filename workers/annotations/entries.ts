// Writes values into dictionaries; null removes the entry.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { Color } from '../contract/color.js'
import type { PagePoint } from '../contract/page-point.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { PageSpace } from '../document/page-space.js'
import { entriesOf } from '../objects/values.js'
import { components } from '../text/content-operands.js'

/** Dictionary that is being written, with its context. */
export interface Target {
  readonly change: Change
  readonly object: PDFObject
  readonly space: PageSpace
}

export function putText({ change, object }: Target, key: string, text: string | null): void {
  put(object, key, text === null ? null : change.pdf.newString(text))
}

export function putName({ change, object }: Target, key: string, name: string | null | undefined): void {
  put(object, key, name == null ? null : change.pdf.newName(name))
}

export function putNumber({ object }: Target, key: string, value: number | null | undefined): void {
  put(object, key, value ?? null)
}

export function putBoolean({ object }: Target, key: string, value: boolean | null): void {
  put(object, key, value)
}

export function putNumbers({ object }: Target, key: string, values: readonly number[] | null): void {
  put(object, key, values === null ? null : [...values])
}

/** Writes a colour as red, green and blue from 0 to 1. */
export function putColor(target: Target, key: string, color: Color | null): void {
  putNumbers(target, key, color === null ? null : components(color))
}

export function putPoints(target: Target, key: string, points: readonly PagePoint[] | null): void {
  putNumbers(target, key, points === null ? null : numbersOfPoints(target.space, points))
}

export function putRect(target: Target, key: string, rect: PdfRect | null): void {
  putNumbers(target, key, rect === null ? null : [rect.left, rect.bottom, rect.right, rect.top])
}

export const numbersOfPoints = (space: PageSpace, points: readonly PagePoint[]): number[] =>
  points.flatMap((point) => {
    const { x, y } = space.toUserPoint(point)
    return [x, y]
  })

/** Maximum number of entries of one small dictionary. */
const entriesMax = 256

/** Returns the dictionary under a key; creates a missing one, and copies a shared one for this annotation. */
export function ensureDictionary({ change, object }: Target, key: string): PDFObject {
  const found = object.get(key)
  if (!found.isNull() && found.isDictionary() && !found.isIndirect()) return found
  const made = change.pdf.newDictionary()
  if (!found.isNull() && found.isDictionary())
    for (const [name, value] of entriesOf(found, entriesMax)) made.put(name, value)
  object.put(key, made)
  return made
}

function put(object: PDFObject, key: string, value: PDFObject | number | boolean | number[] | null): void {
  if (value === null) object.delete(key)
  else object.put(key, value)
}

/** Returns the key of a value in a table of the readers. */
export const wordFor = <Value>(table: Readonly<Record<string, Value>>, value: Value): string | null =>
  Object.entries(table).find(([, known]) => known === value)?.[0] ?? null
