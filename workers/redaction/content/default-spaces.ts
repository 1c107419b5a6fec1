// Retains default colour spaces, which replace device colour spaces (ISO 32000-2, 8.6.5.6). No operator names them, so
// the engine omits them from the resources it writes; without them the colours of the remaining content would change.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { entry, isMissing } from '../../objects/values.js'
import { contentsDrawnBy, type DrawnContent } from './contents-drawn.js'

const names = ['DefaultGray', 'DefaultRGB', 'DefaultCMYK'] as const
/** Entry of pages and forms while they are rewritten: the engine copies it with the form. */
const key = 'STWD_Spaces'

export const setDefaultSpaces = (contents: readonly DrawnContent[]): boolean =>
  contents.some(({ resources }) => namesIn(resources).length > 0)

/** Runs `rewrite` while the page and the forms it draws carry their default colour spaces. Throws `MalformedPdf`. */
export function withDefaultSpaces(change: Change, page: PDFObject, rewrite: () => void): void {
  const owners: PDFObject[] = []
  for (const { form, resources } of contentsDrawnBy(page)) {
    const spaces = defaultSpacesIn(change, resources)
    if (spaces === undefined) continue
    const owner = form === undefined ? page : change.touch(form)
    owner.put(key, spaces)
    owners.push(owner)
  }
  rewrite()
  for (const owner of owners) owner.delete(key)
}

/** Returns the entries of `/ColorSpace` that the page or form had; undefined if there are none. */
export function defaultSpacesOf(owner: PDFObject): PDFObject | undefined {
  const spaces = entry(owner, key)
  return isMissing(spaces) ? undefined : spaces
}

function defaultSpacesIn({ pdf }: Change, resources: PDFObject): PDFObject | undefined {
  const found = namesIn(resources)
  if (found.length === 0) return undefined
  const spaces = pdf.newDictionary()
  for (const name of found) spaces.put(name, entry(resources, 'ColorSpace').get(name))
  return spaces
}

const namesIn = (resources: PDFObject): readonly string[] =>
  names.filter((name) => !isMissing(entry(resources, 'ColorSpace', name)))
