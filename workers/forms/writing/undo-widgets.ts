// How a widget that was put on a page comes off again, and one that was taken off comes back.
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
  /** Fields that only this change brought into the form, because no other widget names them. */
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
