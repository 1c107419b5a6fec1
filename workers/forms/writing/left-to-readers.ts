// Forms that leave drawing to readers (/NeedAppearances, ISO 32000-2, 12.7.3). Readers ignore formats, passwords and
// texts shown in place of a value, so as soon as one widget is drawn here, all are drawn and the flag is cleared. An
// undo sets the flag again, unless something was drawn otherwise since. In signed forms drawing is still left to
// readers: signatures forbid to draw a field whose value stays, if the drawing cannot be compared with the value.
import { createHash } from 'node:crypto'
import type { PDFObject } from 'mupdf'
import { storedBytes } from '../../engine/engine-memory.js'
import { booleanOf, entry, isStream, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { drawField, showsByText } from './draw-widget.js'
import { touchForm } from './form-dictionary.js'
import type { FormModel } from './form-model.js'
import { appearanceName, restoreAppearance, showsOther } from './put-appearance.js'

/** Maximum number of widgets drawn when a form that leaves drawing to readers is first filled. */
const widgetsDrawnMax = 2_000

/** Drawings of fields that the change did not address. */
export interface DrawnForReaders {
  /** Former appearance of each widget. */
  readonly before: readonly (readonly [widget: number, drawing: ReturnType<typeof appearanceName>])[]
  /** Digest of the new appearances. */
  readonly digest: string
}

export interface DrawnRest {
  readonly fields: readonly FoundField[]
  readonly step?: DrawnForReaders
}

export const isLeftToReaders = ({ reading }: FormModel): boolean =>
  booleanOf(entry(reading.form, 'NeedAppearances')) === true

/** Draws the remaining widgets. `done`: fields that are already drawn. */
export function drawRest(model: FormModel, done: ReadonlySet<FoundField>): DrawnRest {
  if (!isLeftToReaders(model) || model.change.protection.isSigned) return { fields: [] }
  const fields = model.fields.filter(
    (found) =>
      !done.has(found) && showsByText(model.read(found)) && !found.widgets.some(({ object }) => showsOther(object)),
  )
  const widgets = fields.flatMap((found) => found.widgets)
  if (widgets.length > widgetsDrawnMax || widgets.some(({ place }) => place.objectNumber === 0)) return { fields: [] }
  const before = widgets.map(({ object }) => [objectNumberOf(object) ?? 0, appearanceName(object)] as const)
  for (const found of fields) drawField(model, found)
  touchForm(model.change).delete('NeedAppearances')
  return { fields, step: { before, digest: digestOf(widgets.map(({ object }) => object)) } }
}

/** True if an undo can set the flag again. */
export function isUntouched(model: FormModel, { before, digest }: DrawnForReaders): boolean {
  return !isLeftToReaders(model) && digestOf(before.map(([number]) => model.change.pdf.newIndirect(number))) === digest
}

/** Returns the fields that readers draw again. */
export function leaveToReaders(model: FormModel, { before }: DrawnForReaders): readonly FoundField[] {
  const { change } = model
  const numbers = new Set(before.map(([number]) => number))
  for (const [number, drawing] of before) {
    restoreAppearance(change, change.touch(change.pdf.newIndirect(number)), { appearance: drawing })
  }
  touchForm(change).put('NeedAppearances', true)
  return model.fields.filter(({ widgets }) => widgets.some(({ place }) => numbers.has(place.objectNumber)))
}

/** Computes a digest of widget appearances that is independent of object numbers. */
export function digestOf(widgets: readonly PDFObject[]): string {
  const hash = createHash('sha256')
  for (const widget of widgets) {
    const drawing = entry(widget, 'AP', 'N')
    hash.update(`${objectNumberOf(widget)} ${objectNumberOf(drawing) ?? drawing.toString(true)} `)
    if (isStream(drawing)) hash.update(storedBytes(drawing))
  }
  return hash.digest('base64')
}
