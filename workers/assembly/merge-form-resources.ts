// Merges the fonts of two forms into one dictionary. A name that is used for another font already is renamed, also in
// the default appearance strings that refer to it.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { nameAsWritten, writtenName } from '../engine/names.js'
import { limits } from '../limits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entriesOf, entry, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'
import { appearanceStringOf, putAppearanceString } from '../text/default-appearance.js'

/** Maximum number of entries inspected in one category of a resource dictionary. */
const entriesMax = 10_000
/** Matches the font name of a default appearance: the name before a size and the operator `Tf`. */
const chosenFont = /\/[^\0\t\n\f\r /()<>[\]{}%]+(?=[\0\t\n\f\r ]+[-+.\d]+[\0\t\n\f\r ]+Tf\b)/g

/** Returns the fonts that had to be renamed, by their former names. `form` is touched. */
export function mergeResources(change: Change, form: PDFObject, grafted: PDFObject): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>()
  const resources = ensureDictionary(change, form, 'DR')
  for (const [category, added] of entriesOf(entry(grafted, 'DR'), entriesMax)) {
    if (!isDictionary(added)) continue
    const known = ensureDictionary(change, resources, category)
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

/** Renames fonts in the /DA of a single dictionary and in its own font resources, which some readers search first. */
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

/** Returns the dictionary under a key, and creates it if it is missing; touches the holder. */
function ensureDictionary(change: Change, holder: PDFObject, key: string): PDFObject {
  const found = entry(holder, key)
  if (isDictionary(found)) return objectNumberOf(found) === undefined ? found : change.touch(found)
  holder.put(key, change.pdf.newDictionary())
  return holder.get(key)
}

const isSameFont = (one: PDFObject, other: PDFObject): boolean =>
  ['BaseFont', 'Subtype', 'Encoding'].every((key) => describe(entry(one, key)) === describe(entry(other, key))) &&
  ['FontDescriptor', 'DescendantFonts'].every((key) => isMissing(entry(one, key)) && isMissing(entry(other, key)))

/** Serialises an encoding: two encodings that are dictionaries may differ in any entry. */
const describe = (value: PDFObject): string =>
  isMissing(value) ? '' : (nameOf(value) ?? value.resolve().toString(true))

function freeName(known: PDFObject, name: string): string {
  let count = 2
  while (!isMissing(entry(known, `${name}_${count}`))) count++
  return `${name}_${count}`
}
