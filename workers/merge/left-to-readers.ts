// Forms of a signed version that leave drawing to readers (/NeedAppearances). A layer that was filled before the signature
// has drawn all fields and cleared the flag. Signatures forbid the drawings of values that did not change where these
// cannot be compared, so the merge leaves such widgets to readers again, as later fillings do.
import type { OpenDocument } from '../document/open-document.js'
import { ownKeys } from '../objects/own-keys.js'
import { booleanOf, entry } from '../objects/values.js'
import type { ParsedObject } from './parse-body.js'
import { isDictionary, isReference, isSame, type Value } from './value.js'

export const isLeftToReaders = ({ catalog }: OpenDocument): boolean =>
  booleanOf(entry(catalog, 'AcroForm', 'NeedAppearances')) === true

/** True if the layer did nothing but draw the value that the widget has in the version. `read`: objects of the layer. */
export function isOnlyDrawn(
  ours: ParsedObject,
  theirs: ParsedObject,
  read: (number: number) => ParsedObject | undefined,
): boolean {
  if (!isDictionary(ours.value) || !isDictionary(theirs.value) || ours.value.get('/Subtype') !== '/Widget') return false
  const drawing = normalOf(ours.value.get('/AP'))
  const stream = isReference(drawing) ? read(drawing.number)?.value : undefined
  if (!isDictionary(stream) || !stream.has(`/${ownKeys.widget}`)) return false
  return isSame(withoutDrawing(ours.value), withoutDrawing(theirs.value))
}

const normalOf = (appearance: Value | undefined): Value | undefined =>
  isDictionary(appearance) ? appearance.get('/N') : undefined

const withoutDrawing = (widget: ReadonlyMap<string, Value>): Value =>
  new Map([...widget].filter(([key]) => key !== '/AP'))
