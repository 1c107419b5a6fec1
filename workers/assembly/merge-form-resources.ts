// The fonts of two forms in one dictionary. A name that stands for another font already gets a new one, and the strings
// that use it say so.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { nameAsWritten, writtenName } from '../engine/names.js'
import { limits } from '../limits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entriesOf, entry, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'
import { appearanceStringOf, putAppearanceString } from '../text/default-appearance.js'

/** Entries of one category of a resource dictionary that are looked at. */
const entriesMax = 10_000
/** The font of a default appearance: its name, before a size and the operator. */
const chosenFont = /\/[^\0\t\n\f\r /()<>[\]{}%]+(?=[\0\t\n\f\r ]+[-+.\d]+[\0\t\n\f\r ]+Tf\b)/g

/** Returns the fonts that had to be renamed, by their former names. `form` is touched. */
export function mergeResources(change: Change, form: PDFObject, grafted: PDFObject): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  const resources = dictionaryIn(change, form, 'DR')
  for (const [category, added] of entriesOf(entry(grafted, 'DR'), entriesMax)) {
    if (!isDictionary(added)) continue
    const known = dictionaryIn(change, resources, category)
    for (const [name, value] of entriesOf(added, entriesMax)) {
      const there = entry(known, name)
      if (isMissing(there)) known.put(name, value)
      else if (category === 'Font' && !isSameFont(there, value)) {
        const free = freeName(known, name)
        known.put(free, value)
        renamed.set(name, free)
      }
    }
  }
  return renamed
}

/** Renames fonts in the fields and everything below them. */
export function renameFonts(fields: readonly PDFObject[], renamed: ReadonlyMap<string, string>): void {
  if (renamed.size === 0) return
  const seen = new Set<number>()
  const waiting = [...fields]
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    const number = objectNumberOf(field)
    if (number === undefined || seen.has(number) || seen.size > readingLimits.fieldNodesMax) continue
    seen.add(number)
    renameFontsIn(field, renamed)
    waiting.push(...elementsOf(entry(field, 'Kids'), limits.itemsMax))
  }
}

/** Renames fonts in the /DA of a single dictionary, and in fonts of its own, where some readers look first. */
export function renameFontsIn(holder: PDFObject, renamed: ReadonlyMap<string, string>): void {
  const appearance = appearanceStringOf(entry(holder, 'DA'))
  const own = entry(holder, 'DR', 'Font')
  const written = appearance?.replace(chosenFont, (token) => {
    const former = nameAsWritten(token)
    const name = renamed.get(former)
    if (name === undefined) return token
    if (isDictionary(own) && !isMissing(entry(own, former))) own.put(name, entry(own, former))
    return writtenName(name)
  })
  if (written !== undefined && written !== appearance) putAppearanceString(holder, written)
}

/** A dictionary under a key, made where there is none; the holder is touched. */
function dictionaryIn(change: Change, holder: PDFObject, key: string): PDFObject {
  const found = entry(holder, key)
  if (isDictionary(found)) return objectNumberOf(found) === undefined ? found : change.touch(found)
  holder.put(key, change.pdf.newDictionary())
  return holder.get(key)
}

const isSameFont = (one: PDFObject, other: PDFObject): boolean =>
  ['BaseFont', 'Subtype', 'Encoding'].every((key) => describe(entry(one, key)) === describe(entry(other, key))) &&
  ['FontDescriptor', 'DescendantFonts'].every((key) => isMissing(entry(one, key)) && isMissing(entry(other, key)))

/** Encodings that are dictionaries may differ in anything. */
const describe = (value: PDFObject): string =>
  isMissing(value) ? '' : (nameOf(value) ?? value.resolve().toString(true))

function freeName(known: PDFObject, name: string): string {
  let count = 2
  while (!isMissing(entry(known, `${name}_${count}`))) count++
  return `${name}_${count}`
}
