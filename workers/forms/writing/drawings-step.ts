// Replaces the appearances of a field's widgets, and undoes that.
import { isDeepStrictEqual } from 'node:util'
import type { Change } from '../../change/change.js'
import type { UndoStep } from '../../change/unfinished-item.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import { objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { drawWidget, showsByText } from './draw-widget.js'
import { formMeta } from './form-meta.js'
import { type FormModel, formWith } from './form-model.js'
import { type DrawnForReaders, type DrawnRest, drawRest, isUntouched, leaveToReaders } from './left-to-readers.js'
import { appearanceName, type FormerAppearance, restoreAppearance, showsOther } from './put-appearance.js'
import { skipped } from './skipped.js'

type Drawings = readonly (readonly [widget: number, drawing: FormerAppearance['appearance']])[]

type StepType = 'forms.setAppearanceText' | 'forms.setSignatureAppearance'

export interface DrawingsStep extends UndoStep {
  readonly type: StepType
  readonly field: FormFieldRef
  readonly before: Drawings
  readonly after: Drawings
  readonly forReaders?: DrawnForReaders
}

export const drawingsOf = ({ widgets }: FoundField): Drawings =>
  widgets.map(({ object }) => [objectNumberOf(object) ?? 0, appearanceName(object)] as const)

interface Answer<Type extends StepType> {
  readonly type: Type
  readonly before: Drawings
  /** Other widgets that were drawn as well, or that are left to readers again. */
  readonly rest?: DrawnRest
}

/** Registers the undo after the appearances were replaced, and returns the item. */
export function answerDrawn<Type extends StepType>(
  model: FormModel,
  found: FoundField,
  { type, before, rest = { fields: [] } }: Answer<Type>,
) {
  const forReaders = rest.step && { forReaders: rest.step }
  const step: DrawingsStep = { type, field: found.ref, before, after: drawingsOf(found), ...forReaders }
  model.change.undoBy(step)
  const widgets = [found, ...rest.fields].flatMap((one) => one.widgets.map(({ place }) => place))
  const meta = formMeta(model.change, [found], widgets)
  return { type, field: model.read(found), widgets: model.widgetsOf(found), meta }
}

/** Undoes the replacement. A field whose appearance was changed since is skipped. */
export function undoDrawings({ type, field, before, after, forReaders }: DrawingsStep, change: Change) {
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
  const isLeft = forReaders !== undefined && isUntouched(model, forReaders)
  const wanted = new Map(before)
  for (const { object: widget, place } of found.widgets) {
    const drawing = wanted.get(place.objectNumber)
    change.touch(widget)
    if (drawing === undefined) continue
    const isStale = forReaders !== undefined && !isLeft && showsByText(read)
    const former = isStale ? ('own' as const) : drawing
    if (!restoreAppearance(change, widget, { appearance: former })) drawWidget({ model, found, field: read, widget })
  }
  if (isLeft)
    return answerDrawn(model, found, { type, before: now, rest: { fields: leaveToReaders(model, forReaders) } })
  const isOther = found.widgets.some(({ object }) => showsOther(object))
  return answerDrawn(model, found, { type, before: now, ...(isOther && { rest: drawRest(model, new Set([found])) }) })
}
