// Which of a group's buttons a redaction takes away, and whether its choice is one of them: a choice that shows elsewhere
// is not what was under the mark.
import type { PDFObject } from 'mupdf'
import type { FoundField } from '../../pdf/forms/fields.js'
import { inherited } from '../../pdf/forms/inheritance.js'
import { onStateOf } from '../../pdf/forms/toggles.js'
import { entry, nameOf, objectNumberOf, textOf } from '../../pdf/values.js'
import type { ToggleWidget } from '../../shapes/form-widget.js'
import type { Change } from '../change.js'
import type { FormModel } from '../forms/form-model.js'

/** Of a check box or a group of radio buttons. */
export interface LeavingButtons {
  /** The state names, as the file has them, of those that leave, and what they stand for. */
  readonly meanings: ReadonlySet<string>
  readonly isChosen: boolean
}

/** `leaving`: numbers of widgets. Undefined = the field has a value of another kind. */
export function leavingButtons(
  model: FormModel,
  found: FoundField,
  leaving: ReadonlySet<number | undefined>,
): LeavingButtons | undefined {
  const field = model.read(found)
  if (field.family !== 'checkbox' && field.family !== 'radio') return undefined
  const value = inherited(found.node.lineage, 'V')
  const toggles: readonly ToggleWidget[] = field.widgets
  const gone = found.widgets.flatMap(({ object }, index) => {
    const toggle = toggles[index]
    return toggle !== undefined && leaving.has(objectNumberOf(object)) ? [{ object, toggle }] : []
  })
  return {
    meanings: new Set(gone.flatMap(({ object, toggle }) => [onStateOf(object, value), toggle.exportValue])),
    isChosen: gone.some(({ object, toggle }) => toggle.checked || isShownOn(object)),
  }
}

const isShownOn = (widget: PDFObject): boolean => !['Off', '', undefined].includes(nameOf(entry(widget, 'AS')))

/** What the group is reset to, where that is a button that leaves. */
export function dropDefault(change: Change, { node }: FoundField, { meanings }: LeavingButtons): void {
  for (const member of node.lineage) {
    const value = entry(member, 'DV')
    const meaning = nameOf(value) ?? textOf(value)
    if (meaning === undefined || !meanings.has(meaning)) continue
    if (objectNumberOf(member) !== undefined) change.touch(member)
    member.delete('DV')
  }
}
