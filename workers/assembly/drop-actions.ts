// Removes actions of annotations that come with inserted pages, unless an op could write them: pages are not a way to bring
// links to programs and files into the document of somebody else. Events are removed when the pages are detached.
import type { PDFObject } from 'mupdf'
import { isLinkAddress } from '../contract/link-address.js'
import { isWidget } from '../fields/field-tree.js'
import { entry, isDictionary, isMissing, nameOf, textOf } from '../objects/values.js'

/** Actions that show another place. */
const ofAll: ReadonlySet<string> = new Set(['GoTo', 'Named', 'URI'])
/** Actions of buttons, which belong to the form. */
const ofWidgets: ReadonlySet<string> = new Set([...ofAll, 'JavaScript', 'ResetForm', 'Hide', 'SubmitForm'])

export function dropActions(annotations: readonly PDFObject[]): void {
  for (const annotation of annotations.filter(isDictionary)) {
    annotation.delete('PA')
    const action = entry(annotation, 'A')
    if (!isMissing(action) && !isHarmless(action, isWidget(annotation) ? ofWidgets : ofAll)) annotation.delete('A')
  }
}

function isHarmless(action: PDFObject, types: ReadonlySet<string>): boolean {
  const type = nameOf(entry(action, 'S'))
  if (type === undefined || !types.has(type)) return false
  return type !== 'URI' || isLinkAddress(textOf(entry(action, 'URI')) ?? '')
}
