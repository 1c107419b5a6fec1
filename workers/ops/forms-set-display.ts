// `forms.setDisplay`: sets whether the widgets of a field are shown on screen and in print.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import { opWork, undoWork } from '../change/op-work.js'
import type { UndoStep } from '../change/unfinished-item.js'
import type { FormFieldRef } from '../contract/form-field-ref.js'
import { type Display, displays, FormsSetDisplay } from '../contract/ops/forms-set-display.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { mustBeAsExpected } from '../forms/writing/expected.js'
import { formMeta, unchanged } from '../forms/writing/form-meta.js'
import { type FormModel, formWith } from '../forms/writing/form-model.js'
import { skipped } from '../forms/writing/skipped.js'
import { entry, integerOf, objectNumberOf } from '../objects/values.js'

const type = 'forms.setDisplay' as const

/** Bits of /F (ISO 32000-2, table 167). */
const hidden = 2
const print = 4
const noView = 32
const bitsOf: Readonly<Record<Display, number>> = { visible: print, hidden, noPrint: 0, noView: print | noView }
const allBits = hidden | print | noView

export const work = opWork(FormsSetDisplay, {
  apply({ field, display, expect }, change) {
    const model = formWith(change, [field])
    const found = model.find(field)
    const [first] = found.widgets
    if (expect !== undefined) mustBeAsExpected({ display: expect }, { display: first && displayOf(first.object) })
    const flags = flagsOf(found).map(([number, bits]) => [number, (bits & ~allBits) | bitsOf[display]] as const)
    return setFlags(model, found, flags)
  },
})

/** Object number and /F of every widget. */
type Flags = readonly (readonly [number: number, flags: number])[]

interface DisplayStep extends UndoStep {
  readonly type: typeof type
  readonly field: FormFieldRef
  readonly before: Flags
  readonly after: Flags
}

const flagsIn = (widget: PDFObject): number => integerOf(entry(widget, 'F')) ?? 0

const flagsOf = ({ widgets }: FoundField): Flags =>
  widgets.map(({ object }) => [objectNumberOf(object) ?? 0, flagsIn(object)] as const)

function displayOf(widget: PDFObject): Display | undefined {
  const bits = flagsIn(widget) & allBits
  if (bits & hidden) return 'hidden'
  return displays.find((display) => bitsOf[display] === bits)
}

function setFlags(model: FormModel, found: FoundField, flags: Flags) {
  const { change } = model
  const before = flagsOf(found)
  const wanted = new Map(flags)
  const places = found.widgets.flatMap(({ object, place }) => {
    const bits = wanted.get(place.objectNumber)
    if (bits === undefined || bits === flagsIn(object)) return []
    change.touch(object)
    object.put('F', bits)
    return [place]
  })
  const step: DisplayStep = { type, field: found.ref, before, after: flagsOf(found) }
  if (places.length > 0) change.undoBy(step)
  const meta = places.length > 0 ? formMeta(change, [found], places) : unchanged()
  return { type, field: model.read(found), widgets: model.widgetsOf(found), meta }
}

export const undos = [
  undoWork<DisplayStep>({
    type,
    apply({ field, before, after }, change) {
      const model = formWith(change, [])
      const found = model.lookUp(field)
      return found !== undefined &&
        isDeepStrictEqual(
          flagsOf(found).map(([...pair]) => pair),
          after,
        )
        ? setFlags(model, found, before)
        : skipped(type)
    },
  }),
]
