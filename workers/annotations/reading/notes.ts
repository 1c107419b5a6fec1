// Sticky notes, carets, stamps and attached files.
import type { AttachmentIcon } from '../../contract/annotations/file-attachment.js'
import type { StampAnnotation } from '../../contract/annotations/stamp.js'
import type { TextIcon } from '../../contract/annotations/text.js'
import { lookUp } from '../../objects/look-up.js'
import { ownKeys } from '../../objects/own-keys.js'
import { entry, nameOf } from '../../objects/values.js'
import { attachedFile } from '../../targets/file-specifications.js'
import type { ReadAnnotation } from './annotation-source.js'
import { colourOf } from './families.js'
import { boxOf } from './turns.js'

export const textIcons: Readonly<Record<string, TextIcon>> = {
  Comment: 'comment',
  Key: 'key',
  Note: 'note',
  Help: 'help',
  NewParagraph: 'new-paragraph',
  Paragraph: 'paragraph',
  Insert: 'insert',
}

export const attachmentIcons: Readonly<Record<string, AttachmentIcon>> = {
  PushPin: 'push-pin',
  Paperclip: 'paperclip',
  Graph: 'graph',
  Tag: 'tag',
}

export const fits: Readonly<Record<string, NonNullable<StampAnnotation['fit']>>> = {
  Contain: 'contain',
  Cover: 'cover',
  Fill: 'fill',
}

export const readText: ReadAnnotation = (source, common) => ({
  subtype: 'text',
  ...common,
  ...colourOf(source),
  icon: lookUp(textIcons, nameOf(entry(source.object, 'Name'))) ?? 'note',
  state: source.reading.text(source.object, 'State') ?? null,
  stateModel: source.reading.text(source.object, 'StateModel') ?? null,
})

export const readCaret: ReadAnnotation = (source, common) => ({
  subtype: 'caret',
  ...common,
  ...colourOf(source),
  ...boxOf(source),
  intent: nameOf(entry(source.object, 'IT')) === 'Replace' ? 'replace' : null,
})

export const readStamp: ReadAnnotation = (source, common) => ({
  subtype: 'stamp',
  ...common,
  ...boxOf(source),
  name: source.reading.name(source.object, 'Name') ?? null,
  fit: lookUp(fits, nameOf(entry(source.object, ownKeys.fit))) ?? null,
})

export const readFileAttachment: ReadAnnotation = (source, common) => ({
  subtype: 'file-attachment',
  ...common,
  ...colourOf(source),
  icon: lookUp(attachmentIcons, nameOf(entry(source.object, 'Name'))) ?? 'push-pin',
  file: attachedFile(source.reading, entry(source.object, 'FS')),
})
