// Undoes the addition and the removal of a widget.
import type { Change } from '../../change/change.js'
import type { UndoStep } from '../../change/unfinished-item.js'
import type { RemovedWidget } from './remove-widget.js'

export interface AddStep extends UndoStep {
  readonly type: 'forms.addWidget'
  readonly widget: number
}

export function undoAdd(change: Change, widget: number): void {
  const step: AddStep = { type: 'forms.addWidget', widget }
  change.undoBy(step)
}

export interface RestoreWidgetStep extends UndoStep {
  readonly type: 'forms.restoreWidget'
  readonly removed: RemovedWidget
  /** Fields that this change added to the form, because only this widget refers to them. */
  readonly listed?: readonly number[]
}

export function undoTake(change: Change, removed: RemovedWidget, listed: readonly number[]): void {
  const step: RestoreWidgetStep = {
    type: 'forms.restoreWidget',
    removed,
    ...(listed.length > 0 && { listed }),
  }
  change.undoBy(step)
}
