// `forms.updateWidget`: changes the position, look and actions of a widget.
import { isDeepStrictEqual } from 'node:util'
import { refuseLongText } from '../annotations/refuse-long-text.js'
import { opWork, undoWork } from '../change/op-work.js'
import type { UndoStep } from '../change/unfinished-item.js'
import type { AnnotationRef } from '../contract/annotation-ref.js'
import type { WidgetAnnotation } from '../contract/annotations/widget.js'
import { FormsUpdateWidget } from '../contract/ops/forms-update-widget.js'
import { writtenNames } from '../contract/read-only.js'
import { lookMembers, WidgetPatch } from '../contract/widget-look.js'
import type { PlacedWidget } from '../forms/reading/form-widgets.js'
import { drawWidget } from '../forms/writing/draw-widget.js'
import { mustBeAsExpected } from '../forms/writing/expected.js'
import { formMeta, unchanged } from '../forms/writing/form-meta.js'
import { FormModel, formOnPage } from '../forms/writing/form-model.js'
import { digestOf, isLeftToReaders } from '../forms/writing/left-to-readers.js'
import {
  appearanceName,
  type FormerAppearance,
  hasOwnStates,
  restoreAppearance,
} from '../forms/writing/put-appearance.js'
import { readWidgetAt } from '../forms/writing/read-widget-at.js'
import { skipped } from '../forms/writing/skipped.js'
import { nameParents } from '../forms/writing/touch-field.js'
import { actionsBefore, type KeptActions, noActions, writeActions } from '../forms/writing/write-actions.js'
import { ownAppearanceString, writeCommon, writeFrame, writeLook } from '../forms/writing/write-look.js'
import { putAppearanceString } from '../text/default-appearance.js'

const type = 'forms.updateWidget' as const

export const work = opWork(FormsUpdateWidget, {
  apply({ widget: ref, patch, expect }, change) {
    const model = formOnPage(change, ref.page.objectNumber)
    const widget = model.findWidget(ref)
    const before = readWidgetAt(model, widget)
    mustBeAsExpected(expect, before)
    const { after } = differences(before, { ...before, ...patch })
    for (const member of textMembers) refuseLongText(member, after[member])
    return update(model, widget, patch)
  },
})

interface UpdateStep extends UndoStep {
  readonly type: typeof type
  readonly widget: AnnotationRef
  readonly before: WidgetPatch
  readonly after: WidgetPatch
  /** Former /DA, which may name a font of the file. */
  readonly lettering: string | null
  readonly drawing: FormerAppearance['appearance']
  readonly ownStates: boolean
  /** True if the appearance was left to readers, and may have been stale. */
  readonly isLeftToReaders: boolean
  /** Digest of the appearance that the change drew. */
  readonly drawn: string
  readonly actions: KeptActions
}

interface WidgetRestore {
  readonly lettering: string | null
  /** Former appearance, if all other members are restored too. */
  readonly drawing: FormerAppearance | undefined
  readonly actions: KeptActions
}

function update(model: FormModel, placed: PlacedWidget, patch: WidgetPatch, restoring?: WidgetRestore) {
  const { change } = model
  const { object, place } = placed
  const before = readWidgetAt(model, placed)
  const owner = model.fieldOf(placed)
  if (owner !== undefined) nameParents(model, owner)
  const lettering = ownAppearanceString(object)
  const [drawing, ownStates] = [appearanceName(object), hasOwnStates(object)]
  const actions = write(model, placed, patch, before, restoring?.actions)
  if (restoring !== undefined && letteringMembers.some((member) => member in patch)) {
    putAppearanceString(object, restoring.lettering)
  }
  const now = new FormModel(change)
  const after = readWidgetAt(now, placed)
  const members = differences({ ...before, actions: actionsBefore(before.actions, after.actions) }, after)
  const isChanged = Object.keys(members.after).length > 0
  const appearance = redraw(now, placed, members.after, restoring)
  const looks = { drawing, ownStates, isLeftToReaders: isLeftToReaders(model), drawn: digestOf([object]) }
  const step: UpdateStep = { type, widget: before.ref, ...members, lettering, ...looks, actions }
  if (isChanged) change.undoBy(step)
  const found = now.fieldOf(placed)
  const meta = isChanged ? formMeta(change, found === undefined ? [] : [found], [place]) : unchanged()
  return { type, widget: readWidgetAt(new FormModel(change), placed), appearance, meta }
}

function write(
  model: FormModel,
  { object }: PlacedWidget,
  patch: WidgetPatch,
  now: WidgetAnnotation,
  restored: KeptActions | undefined,
): KeptActions {
  const { change } = model
  const target = { change, object: change.touch(object), space: model.reading.spaceOf(now.page.objectNumber) }
  writeFrame(target, patch, now)
  writeLook(target, differences(now, { ...now, ...patch }).after, now.fieldFamily)
  writeCommon(target, patch)
  return patch.actions === undefined
    ? (restored ?? noActions)
    : writeActions(target, patch.actions, now.actions, restored)
}

const textMembers = ['contents', 'subject', 'caption'] as const
const letteringMembers = ['fontFamily', 'fontSize', 'fontColor'] as const
const shownMembers: ReadonlySet<string> = new Set([...Object.keys(lookMembers), 'rect', 'box'])
const writableMembers = writtenNames(WidgetPatch)

/** Returns the writable members that differ. */
function differences(before: object, after: object): Pick<UpdateStep, 'before' | 'after'> {
  const former = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).filter(
    ([member, value]) => writableMembers.includes(member) && !isDeepStrictEqual(value, former.get(member)),
  )
  return {
    before: Object.fromEntries(changed.map(([member]) => [member, former.get(member)])),
    after: Object.fromEntries(changed),
  }
}

function redraw(model: FormModel, placed: PlacedWidget, changed: WidgetPatch, restoring: WidgetRestore | undefined) {
  const { change } = model
  const { object } = placed
  if (!Object.keys(changed).some((member) => shownMembers.has(member))) {
    return { action: 'preserved' as const, changed: false }
  }
  const former = restoring?.drawing
  if (former !== undefined && restoreAppearance(change, object, former)) {
    return { action: 'restored' as const, changed: true }
  }
  const found = model.fieldOf(placed)
  const isDrawn = found !== undefined && drawWidget({ model, found, field: model.read(found), widget: object })
  return isDrawn
    ? { action: 'regenerated' as const, changed: true }
    : { action: 'generation-unavailable' as const, changed: false }
}

export const undos = [
  undoWork<UpdateStep>({
    type,
    apply({ widget: ref, before, after, lettering, actions, ...looks }, change) {
      const page = ref.page.objectNumber
      if (!change.document.hasPage(page)) return skipped(type, 'gone', ref)
      const model = formOnPage(change, page)
      const placed = model.lookUpWidget(ref)
      if (placed === undefined) return skipped(type, 'gone', ref)
      const now = new Map<string, unknown>(Object.entries(readWidgetAt(model, placed)))
      const left = Object.entries(after)
        .filter(([member, value]) => !isDeepStrictEqual(value, now.get(member)))
        .map(([member]) => member)
      const patch: WidgetPatch = Object.fromEntries(Object.entries(before).filter(([member]) => !left.includes(member)))
      if (Object.keys(patch).length === 0) return skipped(type, 'changed', ref)
      const restoring: WidgetRestore = {
        lettering,
        actions,
        drawing: left.length === 0 && canGoBack(model, placed, looks) ? formerOf(looks) : undefined,
      }
      return { ...update(model, placed, patch, restoring), ...(left.length > 0 && { skipped: left }) }
    },
  }),
]

type Looks = Pick<UpdateStep, 'drawing' | 'ownStates' | 'isLeftToReaders' | 'drawn'>

const formerOf = ({ drawing, ownStates }: Looks): FormerAppearance => ({ appearance: drawing, ownStates })

/** True if the appearance is unchanged since, and readers that disregarded the former one still do. */
const canGoBack = (model: FormModel, { object }: PlacedWidget, looks: Looks): boolean =>
  digestOf([object]) === looks.drawn && (isLeftToReaders(model) || !looks.isLeftToReaders)
