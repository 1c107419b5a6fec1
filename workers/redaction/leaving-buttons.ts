// Determines which buttons of a group a redaction removes, and whether the selected one is among them: a selection that
// is shown elsewhere is not what was under the mark.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { ToggleWidget } from '../contract/form-widget.js'
import { inherited } from '../fields/inheritance.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { onStateOf } from '../forms/reading/toggles.js'
import type { FormModel } from '../forms/writing/form-model.js'
import { entry, nameOf, objectNumberOf, textOf } from '../objects/values.js'

/** Buttons of a check box or radio group that a redaction removes. */
export interface LeavingButtons {
  /** Names of the removed states as stored in the file, and the values that they stand for. */
  readonly meanings: ReadonlySet<string>
  readonly isChosen: boolean
}

/**
 * Returns the buttons; undefined if the field has a value of another kind. `leaving`: object numbers of removed
 * widgets.
 */
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

/** Removes the default value of the group if it names a removed button. */
export function dropDefault(change: Change, { node }: FoundField, { meanings }: LeavingButtons): void {
  for (const member of node.lineage) {
    const value = entry(member, 'DV')
    const meaning = nameOf(value) ?? textOf(value)
    if (meaning === undefined || !meanings.has(meaning)) continue
    if (objectNumberOf(member) !== undefined) change.touch(member)
    member.delete('DV')
  }
}
