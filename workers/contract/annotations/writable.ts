// What may be written of an annotation, by its subtype: the members its reads have, less those that only the server or the
// engine knows. The tables of drafts and patches, and what a write is held against, all follow from here.
import { type TObject, type TSchema, Type } from 'typebox'
import { LinkTarget } from '../link-target.js'
import { WrittenMeasure, WrittenMeasurement } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { WrittenRichText } from '../rich-text.js'
import { strict, writtenForm } from '../strict.js'
import { Words } from '../words.js'
import { CaretAnnotation } from './caret.js'
import { AnnotationReply } from './common.js'
import { FileAttachmentAnnotation, WrittenFile } from './file-attachment.js'
import { FreeTextAnnotation } from './free-text.js'
import { InkAnnotation } from './ink.js'
import { LineAnnotation } from './line.js'
import { LinkAnnotation } from './link.js'
import { PolygonAnnotation } from './polygon.js'
import { PolylineAnnotation } from './polyline.js'
import { PopupAnnotation } from './popup.js'
import { RedactAnnotation } from './redact.js'
import { CircleAnnotation, SquareAnnotation } from './square-circle.js'
import { StampAnnotation } from './stamp.js'
import { TextAnnotation } from './text.js'
import { HighlightAnnotation, SquigglyAnnotation, StrikeoutAnnotation, UnderlineAnnotation } from './text-markup.js'

/** Told by reads, and ignored in a write, so that a read can be sent back. */
export const readOnlyMembers: ReadonlySet<string> = new Set([
  'subtype',
  'ref',
  'page',
  'hasAppearance',
  'appearanceState',
  'popup',
  'author',
  'createdAt',
  'modifiedAt',
  'userId',
  'createdBy',
  'modifiedBy',
  'importedBy',
  'actions',
])

export interface WritableSubtype {
  readonly schema: TObject
  /** Members a create must have. */
  readonly required: readonly string[]
  /** Of these a create must have at least one. */
  readonly requiredOneOf?: readonly string[]
  /** Members whose written form differs from the read form: it has more optional members and is strict. */
  readonly written?: Readonly<Record<string, TSchema>>
  /** Members of which less can be made than read. What a read gave is accepted when it comes back unchanged. */
  readonly narrow?: Readonly<Record<string, TSchema>>
}

/** Members that are set when an annotation is made, and never again. */
export const createOnlyMembers: ReadonlySet<string> = new Set(['nm'])

const commonWritten = {
  reply: Nullable(
    Type.Object({ to: AnnotationReply.properties.to, type: Type.Optional(AnnotationReply.properties.type) }, strict),
  ),
}

const drawnBorder = {
  borderStyle: Words(['solid', 'dashed']),
  dashArray: Nullable(Type.Array(Type.Number({ minimum: 0 }))),
}
const writtenMeasure = { measure: Nullable(WrittenMeasurement) }
const ownMeasure = { measure: Nullable(WrittenMeasure) }
const linkTarget = writtenForm(LinkTarget)
const point = InkAnnotation.properties.inkList.items.items

const quads = (schema: TObject): WritableSubtype => ({ schema, required: ['quadPoints'] })
const boxed = (schema: TObject, more: Partial<WritableSubtype> = {}): WritableSubtype => ({
  schema,
  required: [],
  requiredOneOf: ['box', 'rect'],
  ...more,
})

export const writableSubtypes = {
  highlight: quads(HighlightAnnotation),
  underline: quads(UnderlineAnnotation),
  squiggly: quads(SquigglyAnnotation),
  strikeout: quads(StrikeoutAnnotation),
  square: boxed(SquareAnnotation, { narrow: drawnBorder }),
  circle: boxed(CircleAnnotation, { narrow: drawnBorder }),
  polygon: {
    schema: PolygonAnnotation,
    written: writtenMeasure,
    required: ['vertices'],
    narrow: { ...drawnBorder, ...ownMeasure, vertices: Type.Array(point, { minItems: 3 }) },
  },
  polyline: {
    schema: PolylineAnnotation,
    written: writtenMeasure,
    required: ['vertices'],
    narrow: { ...drawnBorder, ...ownMeasure, vertices: Type.Array(point, { minItems: 2 }) },
  },
  line: {
    schema: LineAnnotation,
    required: ['linePoints'],
    written: { ...writtenMeasure, leader: writtenForm(LineAnnotation.properties.leader) },
    narrow: { ...drawnBorder, ...ownMeasure },
  },
  ink: {
    schema: InkAnnotation,
    required: ['inkList'],
    narrow: {
      ...drawnBorder,
      strokeWidth: Type.Number({ exclusiveMinimum: 0 }),
      inkList: Type.Array(Type.Array(point, { minItems: 1 }), { minItems: 1 }),
    },
  },
  'free-text': boxed(FreeTextAnnotation, {
    written: { richText: Nullable(WrittenRichText) },
    narrow: { ...drawnBorder, intent: Words(['free-text', 'free-text-callout']) },
  }),
  caret: boxed(CaretAnnotation),
  text: { schema: TextAnnotation, required: ['rect'] },
  stamp: boxed(StampAnnotation),
  'file-attachment': {
    schema: FileAttachmentAnnotation,
    required: ['rect'],
    written: { file: Nullable(WrittenFile) },
  },
  link: {
    schema: LinkAnnotation,
    required: ['rect'],
    written: { target: Nullable(linkTarget) },
    narrow: { target: Nullable(Type.Union(linkTarget.anyOf.slice(0, 2))) },
  },
  popup: {
    schema: PopupAnnotation,
    required: ['rect', 'parent'],
    narrow: { parent: PopupAnnotation.properties.parent.anyOf[0] },
  },
  redact: { schema: RedactAnnotation, required: [], requiredOneOf: ['rect', 'quadPoints'] },
} as const satisfies Readonly<Record<string, WritableSubtype>>

export type WritableName = keyof typeof writableSubtypes

export const writableNames = Object.keys(writableSubtypes).filter(isWritableName)

export function isWritableName(name: string): name is WritableName {
  return Object.hasOwn(writableSubtypes, name)
}

/** The members of a subtype that a write may name, as a write may give them. */
export function writtenMembers(name: WritableName): Readonly<Record<string, TSchema>> {
  const { schema, written = {} }: WritableSubtype = writableSubtypes[name]
  const members = Object.entries({ ...schema.properties, ...commonWritten, ...written })
  return Object.fromEntries(members.filter(([member]) => !readOnlyMembers.has(member)))
}
