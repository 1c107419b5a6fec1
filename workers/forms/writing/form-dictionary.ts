// Returns the form dictionary, touched.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { entry, isArray, isDictionary, isMissing, objectNumberOf } from '../../objects/values.js'
import { standardFontResource } from '../../text/written-font.js'

/** Default appearance for readers: automatic size, black. */
const defaultAppearance = '/Helv 0 Tf 0 g'

/**
 * Returns the form dictionary; creates a missing one. Removes an XFA form: readers that support XFA would continue to
 * show its values, which differ after a write.
 */
export function touchForm(change: Change): PDFObject {
  const { catalog } = change.document
  const form = entry(catalog, 'AcroForm')
  if (!isDictionary(form)) return makeForm(change, catalog)
  change.touch(objectNumberOf(form) === undefined ? catalog : form)
  form.delete('XFA')
  return form
}

/** Removes the XFA form, which would show old values. */
export function dropXfa(change: Change): void {
  if (!isMissing(entry(change.document.catalog, 'AcroForm', 'XFA'))) touchForm(change)
}

function makeForm(change: Change, catalog: PDFObject): PDFObject {
  change.cache.evict('form')
  const { pdf } = change
  const form = pdf.newDictionary()
  form.put('Fields', pdf.newArray())
  form.put('DA', pdf.newString(defaultAppearance))
  const fonts = pdf.newDictionary()
  fonts.put('Helv', standardFontResource(pdf, 'helvetica'))
  fonts.put('ZaDb', standardFontResource(pdf, 'zapf-dingbats'))
  const resources = pdf.newDictionary()
  resources.put('Font', fonts)
  form.put('DR', resources)
  change.touch(catalog)
  const reference = change.create(form)
  catalog.put('AcroForm', reference)
  return reference
}

/** Returns the array under a key, touched; `owner` is touched already. */
export function touchArray(change: Change, owner: PDFObject, key: string): PDFObject {
  if (key === 'Fields' || key === 'Kids') change.cache.evict('form')
  const found = entry(owner, key)
  if (isArray(found)) return objectNumberOf(found) === undefined ? found : change.touch(found)
  owner.put(key, change.pdf.newArray())
  return owner.get(key)
}
