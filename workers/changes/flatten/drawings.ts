// What an annotation looks like: what the file has for it, or where it has nothing, what it is drawn as anew.
import type { PDFObject } from 'mupdf'
import type { AnnotationEntry } from '../../pdf/annotations/page-annotations.js'
import { normalAppearance } from '../../pdf/appearances/normal-appearance.js'
import { isWidget } from '../../pdf/forms/field-tree.js'
import { lookUp } from '../../pdf/look-up.js'
import { entry, isMissing, objectNumberOf } from '../../pdf/values.js'
import type { AnnotatedPage } from '../annotations/annotated-page.js'
import { drawAnnotation } from '../annotations/draw-annotation.js'
import { subtypes } from '../annotations/subtypes.js'
import type { Change } from '../change.js'
import { drawWidget } from '../forms/draw-widget.js'
import { FormModel } from '../forms/form-model.js'

export type Look =
  /** Undefined = it shows nothing, as a checkbox that is off. */
  | { readonly isKnown: true; readonly drawing: PDFObject | undefined }
  /** Neither the file nor we know how it looks. */
  | { readonly isKnown: false }

export class Drawings {
  readonly #change: Change
  #form: FormModel | undefined

  constructor(change: Change) {
    this.#change = change
  }

  lookOf(page: AnnotatedPage, found: AnnotationEntry): Look {
    if (isMissing(entry(found.object, 'AP', 'N'))) this.#draw(page, found)
    if (isMissing(entry(found.object, 'AP', 'N'))) return { isKnown: false }
    return { isKnown: true, drawing: normalAppearance(found.object) }
  }

  #draw(page: AnnotatedPage, found: AnnotationEntry): void {
    if (isWidget(found.object)) this.#drawWidget(found.object)
    else this.#drawAnnotation(page, found)
  }

  #drawAnnotation(page: AnnotatedPage, found: AnnotationEntry): void {
    const state = page.read(found)
    const writing = lookUp(subtypes, state.subtype)
    if (writing?.draw === undefined) return
    this.#change.touch(found.object)
    drawAnnotation({ page, object: found.object, state, writing })
  }

  #drawWidget(widget: PDFObject): void {
    this.#form ??= new FormModel(this.#change)
    const number = objectNumberOf(widget)
    const found = this.#form.fields.find(({ widgets }) =>
      widgets.some(({ object }) => objectNumberOf(object) === number),
    )
    if (found === undefined) return
    drawWidget({ model: this.#form, found, field: this.#form.read(found), widget })
  }
}
