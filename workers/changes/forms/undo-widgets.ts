// How a widget that was put on a page comes off again, and one that was taken off comes back.
import type { Change } from '../change.js'
import type { UndoStep } from '../words.js'
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
}

export function undoTake(change: Change, removed: RemovedWidget): void {
  const step: RestoreWidgetStep = { type: 'forms.restoreWidget', removed }
  change.undoBy(step)
}
