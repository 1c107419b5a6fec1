// Replaces authors and dates of annotations that come with inserted pages by the person who inserts them and the
// present time, because a file can claim anything. Callers with the right to import keep what the file names.
import type { PDFObject } from 'mupdf'
import { dateOf } from '../annotations/dates.js'
import type { Change } from '../change/change.js'
import { isWidget } from '../fields/field-tree.js'
import { entry, isDictionary, isMissing } from '../objects/values.js'

/** Replaces existing entries only: an annotation without author or date continues to have none. */
export function claimAnnotations({ pdf, stamp: { now, author } }: Change, annotations: readonly PDFObject[]): void {
  const date = dateOf(now)
  for (const annotation of annotations.filter(isDictionary)) {
    const claims = (key: string): boolean => !isMissing(entry(annotation, key))
    for (const key of ['CreationDate', 'M'].filter(claims)) annotation.put(key, pdf.newString(date))
    // The /T of a widget is the name of its field.
    if (isWidget(annotation) || !claims('T')) continue
    if (author === null) annotation.delete('T')
    else annotation.put('T', pdf.newString(author))
  }
}
