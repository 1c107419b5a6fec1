// How each subtype is written: its name in the file, what a create that leaves members out means, which members go into
// which entries, and how it is drawn.
import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import type { WritableName } from '../contract/annotations/writable.js'
import type { Color } from '../contract/color.js'
import type { PageSpace } from '../document/page-space.js'
import { drawCaret } from './drawing/caret.js'
import { drawFreeText } from './drawing/free-text.js'
import { cornersOf, outset } from './drawing/geometry.js'
import { drawAttachmentIcon, drawTextIcon } from './drawing/icons.js'
import { drawLine } from './drawing/line.js'
import { drawHighlight, drawLineOver, drawRegions, drawSquiggly, userQuads } from './drawing/markup.js'
import { drawBoxed, drawInk, drawPolygon, drawPolyline } from './drawing/shapes.js'
import type { Sheet } from './drawing/sheet.js'
import { drawStamp } from './drawing/stamp.js'
import type { Members } from './members.js'
import { flagNames } from './reading/common.js'
import { commonGroups } from './writing/common.js'
import { colourGroups, intentGroup, quadsGroup } from './writing/families.js'
import { freeTextGroups } from './writing/free-text.js'
import type { MemberGroup } from './writing/member-group.js'
import {
  caretGroups,
  fileAttachmentGroups,
  linkGroups,
  popupGroups,
  redactGroups,
  stampGroups,
  textGroups,
} from './writing/notes.js'
import { boxedGroups, inkGroups, lineGroups, polygonGroups, polylineGroups } from './writing/shapes.js'

/** Where the rectangle comes from: it is given, it stands around a box, or around what the other members draw. */
export type Shape = 'rect' | 'box' | 'drawn'

export interface AnyGroup {
  readonly members: readonly string[]
  write(state: Annotation, written: Parameters<MemberGroup<Annotation>['write']>[1]): void
}

interface Drawing {
  readonly space: PageSpace
  readonly picture: PDFObject | undefined
}

export interface SubtypeWriting {
  /** In the file. */
  readonly name: string
  readonly shape: Shape
  /** Members a create leaves out. */
  readonly standard: Members
  readonly groups: readonly AnyGroup[]
  /** Members that do not show. */
  readonly unseen: ReadonlySet<string>
  /** Only where it can be drawn at all. `state` is of this subtype. A method, so that all fit into one table. */
  draw?(sheet: Sheet, state: Annotation, drawing: Drawing): void
}

interface Row<State extends Annotation> {
  readonly name: string
  readonly shape: Shape
  readonly standard: Omit<Partial<State>, 'subtype'>
  readonly groups: readonly MemberGroup<State>[]
  readonly unseen?: readonly (keyof State & string)[]
  readonly seen?: readonly (keyof State & string)[]
  draw?(sheet: Sheet, state: State, drawing: Drawing): void
}

const unseenByAll: readonly string[] = ['nm', 'contents', 'subject', 'reply', ...flagNames]

function row<State extends Annotation>({ unseen = [], seen = [], groups, ...others }: Row<State>): SubtypeWriting {
  const hidden = [...unseenByAll, ...unseen].filter((member) => !seen.some((shown) => shown === member))
  return { ...others, groups: [...commonGroups, ...groups], unseen: new Set(hidden) }
}

type Of<Name extends WritableName> = Extract<Annotation, { subtype: Name }>

const black: Color = '#000000'
const red: Color = '#ff0000'
const yellow: Color = '#ffff00'
const line = { color: red, opacity: 1, strokeWidth: 1, borderStyle: 'solid', dashArray: null } as const
const filled = { ...line, interiorColor: null } as const
const captioned = { captionEnabled: null, captionCenter: null, measure: null } as const
const noEndings = { lineEndings: { start: 'none', end: 'none' } } as const
const caption = ['contents', 'measure'] as const

const markGroups = [...colourGroups, quadsGroup]

export const subtypes: Readonly<Record<WritableName, SubtypeWriting>> = {
  highlight: row<Of<'highlight'>>({
    name: 'Highlight',
    shape: 'drawn',
    standard: { color: yellow, opacity: 1, blendMode: 'multiply' },
    groups: markGroups,
    draw: (sheet, state, { space }) => drawHighlight(sheet, state, space),
  }),
  underline: row<Of<'underline'>>({
    name: 'Underline',
    shape: 'drawn',
    standard: { color: red, opacity: 1 },
    groups: markGroups,
    draw: (sheet, state, { space }) => drawLineOver(1 / 14)(sheet, state, space),
  }),
  squiggly: row<Of<'squiggly'>>({
    name: 'Squiggly',
    shape: 'drawn',
    standard: { color: red, opacity: 1 },
    groups: markGroups,
    draw: (sheet, state, { space }) => drawSquiggly(sheet, state, space),
  }),
  strikeout: row<Of<'strikeout'>>({
    name: 'StrikeOut',
    shape: 'drawn',
    standard: { color: red, opacity: 1, intent: null },
    groups: [...markGroups, intentGroup({ StrikeOutTextEdit: 'strikeout-text-edit' })],
    unseen: ['intent'],
    draw: (sheet, state, { space }) => drawLineOver(7 / 16)(sheet, state, space),
  }),
  square: row<Of<'square'>>({
    name: 'Square',
    shape: 'box',
    standard: { ...filled, rotation: null, cloudyIntensity: null },
    groups: boxedGroups,
    draw: (sheet, state, { space }) => drawBoxed(sheet, state, space),
  }),
  circle: row<Of<'circle'>>({
    name: 'Circle',
    shape: 'box',
    standard: { ...filled, rotation: null, cloudyIntensity: null },
    groups: boxedGroups,
    draw: (sheet, state, { space }) => drawBoxed(sheet, state, space),
  }),
  polygon: row<Of<'polygon'>>({
    name: 'Polygon',
    shape: 'drawn',
    standard: { ...filled, ...captioned, rotation: null, cloudyIntensity: null, intent: null },
    groups: polygonGroups,
    unseen: ['intent'],
    seen: caption,
    draw: (sheet, state, { space }) => drawPolygon(sheet, state, space),
  }),
  polyline: row<Of<'polyline'>>({
    name: 'PolyLine',
    shape: 'drawn',
    standard: { ...filled, ...captioned, ...noEndings, rotation: null, intent: null },
    groups: polylineGroups,
    unseen: ['intent'],
    seen: caption,
    draw: (sheet, state, { space }) => drawPolyline(sheet, state, space),
  }),
  line: row<Of<'line'>>({
    name: 'Line',
    shape: 'drawn',
    standard: {
      ...filled,
      ...noEndings,
      rotation: null,
      intent: null,
      measure: null,
      captionEnabled: false,
      captionPosition: 'inline',
      captionOffset: null,
      leader: null,
    },
    groups: lineGroups,
    unseen: ['intent'],
    seen: caption,
    draw: (sheet, state, { space }) => drawLine(sheet, state, space),
  }),
  ink: row<Of<'ink'>>({
    name: 'Ink',
    shape: 'drawn',
    standard: { ...line, rotation: null, intent: null },
    groups: inkGroups,
    unseen: ['intent'],
    draw: (sheet, state, { space }) => drawInk(sheet, state, space),
  }),
  'free-text': row<Of<'free-text'>>({
    name: 'FreeText',
    shape: 'box',
    standard: {
      rotation: null,
      intent: 'free-text',
      fontFamily: 'helvetica',
      fontSize: 12,
      fontColor: black,
      textAlign: 'left',
      verticalAlign: 'top',
      richText: null,
      color: black,
      interiorColor: null,
      opacity: 1,
      // Plain text on the page; a frame is drawn where one is asked for.
      strokeWidth: 0,
      borderStyle: 'solid',
      dashArray: null,
      cloudyIntensity: null,
      calloutLine: null,
      lineEnding: null,
    },
    groups: freeTextGroups,
    unseen: ['intent'],
    seen: ['contents'],
    draw: (sheet, state, { space }) => drawFreeText(sheet, state, space),
  }),
  caret: row<Of<'caret'>>({
    name: 'Caret',
    shape: 'box',
    standard: { color: red, opacity: 1, rotation: null, intent: null },
    groups: caretGroups,
    unseen: ['intent'],
    draw: (sheet, state, { space }) => drawCaret(sheet, state, space),
  }),
  text: row<Of<'text'>>({
    name: 'Text',
    shape: 'rect',
    standard: { color: yellow, opacity: 1, icon: 'note', state: null, stateModel: null },
    groups: textGroups,
    unseen: ['state', 'stateModel'],
    draw: (sheet, { icon, color, rect }, { space }) => drawTextIcon(sheet, icon, color, space.toUserRect(rect)),
  }),
  stamp: row<Of<'stamp'>>({
    name: 'Stamp',
    shape: 'box',
    standard: { rotation: null, name: null, fit: 'contain' },
    groups: stampGroups,
    unseen: ['name'],
    draw(sheet, state, { space, picture }) {
      if (picture !== undefined) drawStamp(sheet, state, space, picture)
    },
  }),
  'file-attachment': row<Of<'file-attachment'>>({
    name: 'FileAttachment',
    shape: 'rect',
    standard: { color: yellow, opacity: 1, icon: 'push-pin', file: null },
    groups: fileAttachmentGroups,
    unseen: ['file'],
    draw: (sheet, { icon, color, rect }, { space }) => drawAttachmentIcon(sheet, icon, color, space.toUserRect(rect)),
  }),
  link: row<Of<'link'>>({
    name: 'Link',
    shape: 'rect',
    standard: { target: null },
    groups: linkGroups,
    unseen: ['target'],
  }),
  popup: row<Of<'popup'>>({
    name: 'Popup',
    shape: 'rect',
    standard: { parent: null, open: false },
    groups: popupGroups,
    unseen: ['parent', 'open'],
  }),
  redact: row<Of<'redact'>>({
    name: 'Redact',
    shape: 'rect',
    standard: {
      color: red,
      opacity: 1,
      quadPoints: null,
      interiorColor: null,
      overlayText: null,
      repeat: false,
      fontFamily: 'helvetica',
      fontSize: 0,
      fontColor: black,
      textAlign: 'left',
    },
    groups: redactGroups,
    unseen: ['interiorColor', 'overlayText', 'repeat', 'fontFamily', 'fontSize', 'fontColor', 'textAlign'],
    draw(sheet, { color, quadPoints, rect }, { space }) {
      const corners = userQuads(quadPoints ?? [], space).map((quad) => [
        quad.upperLeft,
        quad.upperRight,
        quad.lowerRight,
        quad.lowerLeft,
      ])
      const box = space.toUserRect(rect)
      if (quadPoints === null) sheet.inside('', () => drawRegions(sheet, color, [cornersOf(outset(box, -0.5))]))
      else drawRegions(sheet, color, corners)
    },
  }),
}
