// Sticky notes: an icon that opens a comment.
import { Text, type TextAnnotation, type TextIcon } from '../../contract/annotations/text.js'
import { lookUp } from '../../objects/look-up.js'
import { booleanOf, entry, nameOf } from '../../objects/values.js'
import { drawIcon, type Icon } from '../drawing/icon.js'
import { putBoolean, putName, putText, wordFor } from '../entries.js'
import type { AnnotationSource } from '../reading/annotation-source.js'
import { colourOf } from '../reading/shared-members.js'
import { subtypeWork } from '../subtype-work.js'
import { group, type WrittenMembers } from '../writing/member-group.js'
import { colourGroups } from '../writing/shared-members.js'
import { yellow } from '../writing/standards.js'

const names: Readonly<Record<string, TextIcon>> = {
  Comment: 'comment',
  Key: 'key',
  Note: 'note',
  Help: 'help',
  NewParagraph: 'new-paragraph',
  Paragraph: 'paragraph',
  Insert: 'insert',
}

const page: Icon = ['3 1 m 3 19 l 13 19 l 17 15 l 17 1 l b', '13 19 m 13 15 l 17 15 l S']
const bubble: Icon = ['2 5 m 2 18 l 18 18 l 18 5 l 9 5 l 5 1 l 5 5 l b']

const icons: Readonly<Record<TextIcon, Icon>> = {
  comment: [...bubble, '5 14 m 15 14 l 5 11 m 15 11 l 5 8 m 12 8 l S'],
  note: [...page, '6 12 m 14 12 l 6 9 m 14 9 l 6 6 m 14 6 l S'],
  key: [
    '10 13.5 m 10 15.7 8.2 17.5 6 17.5 c 3.8 17.5 2 15.7 2 13.5 c 2 11.3 3.8 9.5 6 9.5 c 6.8 9.5 7.5 9.7 8.1 10.1 c',
    '15 3.2 l 18 3.2 l 18 6 l 16 6 l 16 8 l 14 8 l 9.4 11.4 l b',
    '5 14.5 1 1 re S',
  ],
  help: [
    '19 10 m 19 15 15 19 10 19 c 5 19 1 15 1 10 c 1 5 5 1 10 1 c 15 1 19 5 19 10 c b',
    '7 12.5 m 7 16 13 16 13 12.5 c 13 10 10 10.5 10 7.5 c S',
    '9.4 4.4 1.2 1.2 re S',
  ],
  'new-paragraph': [
    '10 19 m 16 10 l 4 10 l b',
    '4 2 m 4 8 l 8 2 l 8 8 l S',
    '12 2 m 12 8 l 14.5 8 l 16.5 8 16.5 5 14.5 5 c 12 5 l S',
  ],
  paragraph: [
    '12 18 m 7 18 l 3.5 18 3.5 10 7 10 c 10 10 l 10 18 l b',
    '10 2 m 10 18 l 14 18 l 14 2 l S',
    '12 18 m 16 18 l S',
  ],
  insert: ['10 18 m 18 2 l 2 2 l b'],
}

export const work = subtypeWork(Text, {
  shape: 'rect',
  standard: { color: yellow, opacity: 1, icon: 'note', open: false, state: null, stateModel: null },
  read: (source, common) => ({
    subtype: 'text',
    ...common,
    ...colourOf(source),
    icon: lookUp(names, nameOf(entry(source.object, 'Name'))) ?? 'note',
    open: isOpen(source),
    state: source.reading.text(source.object, 'State') ?? null,
    stateModel: source.reading.text(source.object, 'StateModel') ?? null,
  }),
  groups: [
    ...colourGroups,
    group(['icon'], ({ icon }, written) => putName(written, 'Name', wordFor(names, icon))),
    group(['open'], writeOpen),
    group(['state'], ({ state }, written) => putText(written, 'State', state)),
    group(['stateModel'], ({ stateModel }, written) => putText(written, 'StateModel', stateModel)),
  ],
  invisible: ['open', 'state', 'stateModel'],
  draw: (sheet, { icon, color, rect }, { space }) => drawIcon(sheet, icons[icon], color, space.toUserRect(rect)),
})

/** Reads /Open of the note; some writers state it for its popup only. */
function isOpen({ object, ref, siblings }: AnnotationSource): boolean {
  const popup = siblings.popupOf(ref)
  const shown = popup && siblings.entryOf(popup)?.object
  return booleanOf(entry(object, 'Open')) ?? (shown != null && booleanOf(entry(shown, 'Open')) === true)
}

/** Writes /Open of the note and of its popup, which show the same window. */
function writeOpen({ ref, open }: TextAnnotation, written: WrittenMembers): void {
  const { page, change } = written
  putBoolean(written, 'Open', open ? true : null)
  const popup = page.siblings.popupOf(ref)
  if (popup === null) return
  const { object } = page.find(popup)
  if ((booleanOf(entry(object, 'Open')) ?? false) === open) return
  change.touch(object).put('Open', open)
  page.changed(object)
}
