// Other drawings for the widgets of a field, and the way back to those they had.
import { isDeepStrictEqual } from 'node:util'
import type { FoundField } from '../../pdf/forms/fields.js'
import { entry, isStream, objectNumberOf } from '../../pdf/values.js'
import type { FormFieldRef } from '../../shapes/form-field-ref.js'
import type { Change } from '../change.js'
import type { UndoStep } from '../words.js'
import { drawWidget } from './draw-widget.js'
import { formMeta } from './form-meta.js'
import { type FormModel, formWith } from './form-model.js'
import { dropAppearance, isOwn, putNormal } from './put-appearance.js'
import { skipped } from './skipped.js'

/** Of every widget: the number of its drawing; null = it had none, `own` = it showed the value as it is drawn here. */
type Drawings = readonly (readonly [widget: number, drawing: number | 'own' | null])[]

type StepType = 'forms.setAppearanceText' | 'forms.setSignatureAppearance'

export interface DrawingsStep extends UndoStep {
  readonly type: StepType
  readonly field: FormFieldRef
  readonly before: Drawings
  readonly after: Drawings
}

export const drawingsOf = ({ widgets }: FoundField): Drawings =>
  widgets.map(({ object }) => {
    const normal = entry(object, 'AP', 'N')
    const drawing = isOwn(object, normal) ? 'own' : isStream(normal) ? (objectNumberOf(normal) ?? null) : null
    return [objectNumberOf(object) ?? 0, drawing] as const
  })

/** After the drawings were changed: registers the undo and answers. */
export function answerDrawn<Type extends StepType>(model: FormModel, found: FoundField, type: Type, before: Drawings) {
  const step: DrawingsStep = { type, field: found.ref, before, after: drawingsOf(found) }
  model.change.undoBy(step)
  const meta = formMeta(model.change, [found])
  return { type, field: model.read(found), widgets: model.widgetsOf(found), meta }
}

/** A field that shows something else by now is left alone. */
export function undoDrawings({ type, field, before, after }: DrawingsStep, change: Change) {
  const model = formWith(change, [])
  const found = model.lookUp(field)
  if (found === undefined) return skipped(type)
  const now = drawingsOf(found)
  if (
    !isDeepStrictEqual(
      now.map(([...pair]) => pair),
      after,
    )
  )
    return skipped(type)
  const read = model.read(found)
  const wanted = new Map(before)
  for (const { object: widget, place } of found.widgets) {
    const drawing = wanted.get(place.objectNumber)
    change.touch(widget)
    if (typeof drawing === 'number' && isStream(change.pdf.newIndirect(drawing))) {
      change.show(change.pdf.newIndirect(drawing))
      putNormal(change, widget, change.pdf.newIndirect(drawing))
    } else if (drawing === null) dropAppearance(change, widget)
    else if (drawing === 'own') drawWidget({ model, found, field: read, widget })
  }
  return answerDrawn(model, found, type, now)
}
