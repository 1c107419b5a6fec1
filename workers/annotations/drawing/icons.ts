// The icons of sticky notes and attached files, drawn on a square of 20 by 20 that is laid into the rectangle.

import type { AttachmentIcon } from '../../contract/annotations/file-attachment.js'
import type { TextIcon } from '../../contract/annotations/text.js'
import type { Color } from '../../contract/color.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { fillColor, number, numbers, strokeColor } from '../../text/content.js'
import { cornersOf } from './geometry.js'
import type { Sheet } from './sheet.js'

/** Operators; colours and width are set. `B` fills with the colour of the annotation and draws the dark outline. */
type Icon = readonly string[]

const side = 20
const outline: Color = '#333333'

const page: Icon = ['3 1 m 3 19 l 13 19 l 17 15 l 17 1 l b', '13 19 m 13 15 l 17 15 l S']
const bubble: Icon = ['2 5 m 2 18 l 18 18 l 18 5 l 9 5 l 5 1 l 5 5 l b']

const textIcons: Readonly<Record<TextIcon, Icon>> = {
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

const attachmentIcons: Readonly<Record<AttachmentIcon, Icon>> = {
  'push-pin': ['7 19 m 13 19 l 12 16 l 12 12 l 15 9 l 5 9 l 8 12 l 8 16 l b', '10 9 m 10 1 l S'],
  paperclip: [
    '1.6 w',
    '13 6 m 13 14.5 l 13 17 11.5 18.5 9.7 18.5 c 8 18.5 6.5 17 6.5 14.5 c 6.5 5 l 6.5 3 7.6 1.5 9.2 1.5 c 10.8 1.5 11.5 3 11.5 4.8 c 11.5 13.5 l 11.5 14.8 8.2 14.8 8.2 13.5 c 8.2 6.5 l S',
  ],
  graph: ['2 18 m 2 2 l 18 2 l S', '4 3 3 6 re b', '8.5 3 3 11 re b', '13 3 3 8 re b'],
  tag: ['2 10 m 7 17 l 18 17 l 18 3 l 7 3 l b', '8.5 10 m 8.5 11.2 6.5 11.2 6.5 10 c 6.5 8.8 8.5 8.8 8.5 10 c S'],
}

export const drawTextIcon = (sheet: Sheet, icon: TextIcon, color: Color, rect: PdfRect): void =>
  drawIcon(sheet, textIcons[icon], color, rect)

export const drawAttachmentIcon = (sheet: Sheet, icon: AttachmentIcon, color: Color, rect: PdfRect): void =>
  drawIcon(sheet, attachmentIcons[icon], color, rect)

function drawIcon(sheet: Sheet, icon: Icon, color: Color, rect: PdfRect): void {
  const width = rect.right - rect.left
  const height = rect.top - rect.bottom
  const scale = Math.min(width, height) / side
  const left = rect.left + (width - side * scale) / 2
  const bottom = rect.bottom + (height - side * scale) / 2
  sheet.inside(`${number(scale)} 0 0 ${number(scale)} ${numbers(left, bottom)} cm`, () =>
    sheet.add(fillColor(color), strokeColor(outline), '1 w 1 j 1 J', ...icon),
  )
  sheet.cover(cornersOf(rect))
}
