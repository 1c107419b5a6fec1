// Determines the appearance of an annotation: the stored one, or, if that is missing or unreliable, a generated one.
// Pictures, exports and flattening all use it, so that they show the same.
import type { PDFObject } from 'mupdf'
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { normalAppearance } from '../annotations/appearances/normal-appearance.js'
import { drawAnnotation } from '../annotations/draw-annotation.js'
import { findWriting } from '../annotations/load-subtypes.js'
import type { AnnotationEntry } from '../annotations/reading/page-annotations.js'
import type { Change } from '../change/change.js'
import { isWidget } from '../fields/field-tree.js'
import { drawWidget, showsByText } from '../forms/writing/draw-widget.js'
import { FormModel } from '../forms/writing/form-model.js'
import { showsOther } from '../forms/writing/put-appearance.js'
import { booleanOf, entry, isMissing } from '../objects/values.js'

export type Look =
  /** The drawing; undefined if the annotation is invisible, such as an unchecked checkbox. */
  | { readonly isKnown: true; readonly drawing: PDFObject | undefined }
  /** The file has no appearance, and none can be generated. */
  | { readonly isKnown: false }

export class Drawings {
  readonly #change: Change
  #form: FormModel | undefined

  constructor(change: Change) {
    this.#change = change
  }

  lookOf(page: AnnotatedPage, found: AnnotationEntry): Look {
    if (isWidget(found.object)) this.#refreshWidget(found)
    else if (isMissing(entry(found.object, 'AP', 'N'))) this.#drawAnnotation(page, found)
    if (isMissing(entry(found.object, 'AP', 'N'))) return { isKnown: false }
    return { isKnown: true, drawing: normalAppearance(found.object) }
  }

  #drawAnnotation(page: AnnotatedPage, found: AnnotationEntry): void {
    const state = page.read(found)
    const writing = findWriting(state.subtype)
    if (writing?.draw === undefined) return
    this.#change.touch(found.object)
    drawAnnotation({ page, object: found.object, state, writing })
  }

  /**
   * Generates the appearance of a widget again if its form leaves drawing to readers: stored ones are stale wherever
   * they show text (ISO 32000-2, 12.7.3).
   */
  #refreshWidget({ ref, object: widget }: AnnotationEntry): void {
    const isUndrawn = isMissing(entry(widget, 'AP', 'N'))
    if (!isUndrawn && (!this.#isLeftToReaders || showsOther(widget))) return
    const placed = this.#model.lookUpWidget(ref)
    const found = placed && this.#model.fieldOf(placed)
    if (found === undefined) return
    const field = this.#model.read(found)
    if (isUndrawn || showsByText(field)) drawWidget({ model: this.#model, found, field, widget })
  }

  get #model(): FormModel {
    this.#form ??= new FormModel(this.#change)
    return this.#form
  }

  get #isLeftToReaders(): boolean {
    return booleanOf(entry(this.#change.document.catalog, 'AcroForm', 'NeedAppearances')) === true
  }
}
