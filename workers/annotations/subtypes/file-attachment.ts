// Files attached to a place on the page.
import { type AttachmentIcon, FileAttachment } from '../../contract/annotations/file-attachment.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { lookUp } from '../../objects/look-up.js'
import { entry, nameOf } from '../../objects/values.js'
import { attachedFile, undescribed } from '../../targets/file-specifications.js'
import { describeFile, touchFile } from '../attached-files.js'
import { drawIcon, type Icon } from '../drawing/icon.js'
import { putName, wordFor } from '../entries.js'
import { colourOf } from '../reading/shared-members.js'
import { subtypeWork } from '../subtype-work.js'
import { group } from '../writing/member-group.js'
import { colourGroups } from '../writing/shared-members.js'
import { yellow } from '../writing/standards.js'
import type { Members } from '../written-members.js'

const names: Readonly<Record<string, AttachmentIcon>> = {
  PushPin: 'push-pin',
  Paperclip: 'paperclip',
  Graph: 'graph',
  Tag: 'tag',
}

const icons: Readonly<Record<AttachmentIcon, Icon>> = {
  'push-pin': ['7 19 m 13 19 l 12 16 l 12 12 l 15 9 l 5 9 l 8 12 l 8 16 l b', '10 9 m 10 1 l S'],
  paperclip: [
    '1.6 w',
    '13 6 m 13 14.5 l 13 17 11.5 18.5 9.7 18.5 c 8 18.5 6.5 17 6.5 14.5 c 6.5 5 l 6.5 3 7.6 1.5 9.2 1.5 c 10.8 1.5 11.5 3 11.5 4.8 c 11.5 13.5 l 11.5 14.8 8.2 14.8 8.2 13.5 c 8.2 6.5 l S',
  ],
  graph: ['2 18 m 2 2 l 18 2 l S', '4 3 3 6 re b', '8.5 3 3 11 re b', '13 3 3 8 re b'],
  tag: ['2 10 m 7 17 l 18 17 l 18 3 l 7 3 l b', '8.5 10 m 8.5 11.2 6.5 11.2 6.5 10 c 6.5 8.8 8.5 8.8 8.5 10 c S'],
}

export const work = subtypeWork(FileAttachment, {
  shape: 'rect',
  standard: { color: yellow, opacity: 1, icon: 'push-pin', file: null },
  resource: 'file',
  completed: withFile,
  read: (source, common) => ({
    subtype: 'file-attachment',
    ...common,
    ...colourOf(source),
    icon: lookUp(names, nameOf(entry(source.object, 'Name'))) ?? 'push-pin',
    file: attachedFile(source.reading, entry(source.object, 'FS')),
  }),
  groups: [
    ...colourGroups,
    group(['icon'], ({ icon }, written) => putName(written, 'Name', wordFor(names, icon))),
    group(['file'], ({ file }, { change, object }) => {
      if (file === null) {
        object.delete('FS')
        return
      }
      const existing = touchFile(change, object)
      if (existing === undefined)
        throw new JobRefusal('InvalidArg', 'The annotation has no file to describe: send the file as a resource', {
          role: 'file',
        })
      describeFile(change, existing, file)
    }),
  ],
  invisible: ['file'],
  draw: (sheet, { icon, color, rect }, { space }) => drawIcon(sheet, icons[icon], color, space.toUserRect(rect)),
})

/** Adds the members that only reads have. */
function withFile(members: Members): Members {
  const { file } = members
  return typeof file === 'object' && file !== null ? { ...members, file: { ...undescribed, ...file } } : members
}
