// Removes widgets of deleted pages from the form, and fields that have no widget left.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { withGroup } from '../forms/writing/kids.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, objectNumberOf } from '../objects/values.js'

interface LeavingWidgets {
  readonly object: PDFObject
  readonly number: number
}

/** Removes fields. Fields that never had a widget stay. Returns the number of objects removed from the form. */
export function dropFields(change: Change, widgets: readonly PDFObject[]): number {
  const form = entry(change.document.catalog, 'AcroForm')
  const gone = new Set<number>()
  const roots = new Set<number>()
  let leaving = withNumbers(widgets)
  for (let level = 0; leaving.length > 0 && level < readingLimits.fieldDepthMax; level++) {
    const parents = new Map<number, PDFObject>()
    for (const { object, number } of leaving) {
      gone.add(number)
      const parent = entry(object, 'Parent')
      const above = objectNumberOf(parent)
      if (above !== undefined && isDictionary(parent) && !gone.has(above)) parents.set(above, parent)
      else roots.add(number)
    }
    leaving = withNumbers(
      [...parents.values()].filter((parent) => removeFromList(change, { holder: parent, key: 'Kids', gone }) === 0),
    )
    change.hide(...leaving.map(({ object }) => object))
  }
  if (!isDictionary(form)) return gone.size
  // Some files list fields in /Fields that have a parent.
  for (const key of ['Fields', 'CO']) removeFromList(change, { holder: form, key, gone })
  return gone.size
}

interface List {
  readonly holder: PDFObject
  readonly key: string
  readonly gone: ReadonlySet<number>
}

/**
 * Removes the listed objects from an array. Returns the number of remaining elements; an array that contains none of
 * them is not touched.
 */
function removeFromList(change: Change, { holder, key, gone }: List): number {
  const list = entry(holder, key)
  if (!isArray(list)) return 0
  const all = [...elementsOf(list, readingLimits.fieldNodesMax)]
  const places = all.flatMap((element, index) => (gone.has(objectNumberOf(element) ?? 0) ? [] : [index]))
  if (places.length === all.length) return all.length
  // An inline dictionary is part of the catalog.
  change.touch(objectNumberOf(holder) === undefined ? change.document.catalog : holder)
  const edit = () => holder.put(key, elementsAt(list, places))
  if (key === 'Kids') withGroup(change, holder, edit)
  else edit()
  return places.length
}

function elementsAt(list: PDFObject, places: readonly number[]): PDFObject {
  const copy = list._doc.newArray()
  for (const place of places) copy.push(entry(list, place))
  return copy
}

const withNumbers = (objects: readonly PDFObject[]): LeavingWidgets[] =>
  objects.flatMap((object) => {
    const number = objectNumberOf(object)
    return number === undefined ? [] : [{ object, number }]
  })
