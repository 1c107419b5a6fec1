// Windows that show the comments of other annotations; they have no appearance.
import { Popup, type PopupAnnotation } from '../../contract/annotations/popup.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { booleanOf, entry, nameOf, objectNumberOf } from '../../objects/values.js'
import { putBoolean } from '../entries.js'
import { subtypeWork } from '../subtype-work.js'
import { group, type WrittenMembers } from '../writing/member-group.js'

export const work = subtypeWork(Popup, {
  shape: 'rect',
  standard: { parent: null, open: false },
  read: (source, common) => ({
    subtype: 'popup',
    ...common,
    parent: source.siblings.parentOf(source.ref),
    open: booleanOf(entry(source.object, 'Open')) ?? false,
  }),
  groups: [group(['parent'], writeParent), group(['open'], writeOpen)],
  invisible: ['parent', 'open'],
})

function writeParent({ parent }: PopupAnnotation, written: WrittenMembers): void {
  const { page, change, object } = written
  if (parent === null) return
  const owner = page.find(parent)
  const number = objectNumberOf(object)
  const before = entry(object, 'Parent')
  const known = page.siblings.popupOf(owner.ref)
  if (known !== null && objectNumberOf(page.find(known).object) !== number) {
    throw new JobRefusal('InvalidArg', 'The annotation has a popup already')
  }
  if (objectNumberOf(before) !== undefined && objectNumberOf(before) !== objectNumberOf(owner.object)) {
    change.touch(before).delete('Popup')
    page.changed(before)
  }
  object.put('Parent', owner.object)
  change.touch(owner.object).put('Popup', object)
  page.changed(object, owner.object)
}

/** Writes /Open of the popup and of its note, which show the same window. */
function writeOpen({ parent, open }: PopupAnnotation, written: WrittenMembers): void {
  const { page, change } = written
  putBoolean(written, 'Open', open)
  const note = parent === null ? undefined : page.find(parent).object
  if (note === undefined || nameOf(entry(note, 'Subtype')) !== 'Text') return
  if ((booleanOf(entry(note, 'Open')) ?? false) === open) return
  change.touch(note).put('Open', open)
  page.changed(note)
}
