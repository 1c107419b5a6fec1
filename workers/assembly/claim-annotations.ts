// Authors and dates of annotations that come with inserted pages: a file says what it likes, so for all but those who may
// import, whoever inserts them is who wrote them, now.
import type { PDFObject } from 'mupdf'
import { dateOf } from '../annotations/dates.js'
import type { Change } from '../change/change.js'
import { isWidget } from '../fields/field-tree.js'
import { entry, isDictionary, isMissing } from '../objects/values.js'

/** Only what the file claims is replaced: an annotation without author or date goes on to have none. */
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
