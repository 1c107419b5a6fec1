// Merges the optional content of inserted pages into the document's: each layer keeps its state and can be switched.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { touchArray } from '../forms/writing/form-dictionary.js'
import { elementsOf, entry, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'

/** Maximum number of layers inspected in one document. */
const layersMax = 10_000

/** Merges `grafted`, the copied optional content dictionary (ISO 32000-2, 8.11.4.2) of the source. */
export function mergeLayers(change: Change, grafted: PDFObject): void {
  change.reopen()
  const { catalog } = change.document
  const known = entry(catalog, 'OCProperties')
  if (!isDictionary(known)) {
    change.touch(catalog).put('OCProperties', grafted)
    return
  }
  const properties = change.touch(objectNumberOf(known) === undefined ? catalog : known)
  const layers = [...elementsOf(entry(grafted, 'OCGs'), layersMax)]
  const all = touchArray(change, known, 'OCGs')
  for (const layer of layers) all.push(layer)
  const configuration = ensureConfiguration(change, known, properties)
  const order = touchArray(change, configuration, 'Order')
  const [on, off] = [touchArray(change, configuration, 'ON'), touchArray(change, configuration, 'OFF')]
  const hidden = hiddenIn(grafted)
  for (const layer of layers) {
    order.push(layer)
    const list = hidden.has(objectNumberOf(layer) ?? 0) ? off : on
    list.push(layer)
  }
}

/** Returns the default configuration, touched, and creates it if it is missing. */
function ensureConfiguration(change: Change, properties: PDFObject, around: PDFObject): PDFObject {
  const known = entry(properties, 'D')
  if (isDictionary(known)) return objectNumberOf(known) === undefined ? known : change.touch(known)
  change.touch(around)
  properties.put('D', change.pdf.newDictionary())
  return properties.get('D')
}

/** Returns the object numbers of layers that are off when the document is opened. */
function hiddenIn(properties: PDFObject): ReadonlySet<number> {
  const numbers = (...path: readonly string[]) =>
    [...elementsOf(entry(properties, ...path), layersMax)].map((layer) => objectNumberOf(layer) ?? 0)
  const isOffByDefault = nameOf(entry(properties, 'D', 'BaseState')) === 'OFF'
  if (!isOffByDefault || isMissing(entry(properties, 'D'))) return new Set(numbers('D', 'OFF'))
  const on = new Set(numbers('D', 'ON'))
  return new Set(numbers('OCGs').filter((number) => !on.has(number)))
}
