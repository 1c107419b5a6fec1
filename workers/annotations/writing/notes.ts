// Sticky notes, carets, stamps, attached files, links, popups and regions to be redacted.

import type { CaretAnnotation } from '../../contract/annotations/caret.js'
import type { FileAttachmentAnnotation } from '../../contract/annotations/file-attachment.js'
import type { LinkAnnotation } from '../../contract/annotations/link.js'
import type { PopupAnnotation } from '../../contract/annotations/popup.js'
import type { RedactAnnotation } from '../../contract/annotations/redact.js'
import type { StampAnnotation } from '../../contract/annotations/stamp.js'
import type { TextAnnotation } from '../../contract/annotations/text.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { ownKeys } from '../../objects/own-keys.js'
import { entry, objectNumberOf } from '../../objects/values.js'
import { describeFile, touchFile } from '../attached-files.js'
import { putBoolean, putName, putText, wordFor } from '../entries.js'
import { putLinkTarget } from '../links.js'
import { attachmentIcons, fits, textIcons } from '../reading/notes.js'
import {
  colourGroups,
  intentGroup,
  interiorGroup,
  putAlign,
  putDefaultAppearance,
  quadsGroup,
  rotationGroup,
} from './families.js'
import { group, type MemberGroup, type Written } from './member-group.js'

export const textGroups: readonly MemberGroup<TextAnnotation>[] = [
  ...colourGroups,
  group(['icon'], ({ icon }, written) => putName(written, 'Name', wordFor(textIcons, icon))),
  group(['state'], ({ state }, written) => putText(written, 'State', state)),
  group(['stateModel'], ({ stateModel }, written) => putText(written, 'StateModel', stateModel)),
]

export const caretGroups: readonly MemberGroup<CaretAnnotation>[] = [
  ...colourGroups,
  rotationGroup,
  intentGroup({ Replace: 'replace' }),
]

export const stampGroups: readonly MemberGroup<StampAnnotation>[] = [
  rotationGroup,
  group(['name'], ({ name }, written) => putName(written, 'Name', name)),
  group(['fit'], ({ fit }, written) => putName(written, ownKeys.fit, fit === null ? null : wordFor(fits, fit))),
]

export const fileAttachmentGroups: readonly MemberGroup<FileAttachmentAnnotation>[] = [
  ...colourGroups,
  group(['icon'], ({ icon }, written) => putName(written, 'Name', wordFor(attachmentIcons, icon))),
  group(['file'], ({ file }, written) => {
    const { change, object } = written
    if (file === null) {
      object.delete('FS')
      return
    }
    const known = touchFile(change, object)
    if (known === undefined)
      throw new JobRefusal('InvalidArg', 'There is no file to describe: it must come as a resource', { role: 'file' })
    describeFile(change, known, file)
  }),
]

export const linkGroups: readonly MemberGroup<LinkAnnotation>[] = [
  group(['target'], ({ target }, written) => putLinkTarget(written, target)),
]

export const popupGroups: readonly MemberGroup<PopupAnnotation>[] = [
  group(['open'], ({ open }, written) => putBoolean(written, 'Open', open)),
  group(['parent'], writeParent),
]

function writeParent({ parent }: PopupAnnotation, written: Written): void {
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

export const redactGroups: readonly MemberGroup<RedactAnnotation>[] = [
  ...colourGroups,
  interiorGroup,
  quadsGroup,
  group(['overlayText'], ({ overlayText }, written) => putText(written, 'OverlayText', overlayText)),
  group(['repeat'], ({ repeat }, written) => putBoolean(written, 'Repeat', repeat)),
  group(['fontFamily', 'fontSize', 'fontColor', 'textAlign'], (state, written) => {
    putDefaultAppearance(written, state)
    putAlign(written, state.textAlign)
  }),
]
