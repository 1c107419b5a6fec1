// Any annotation, told apart by its `subtype`.
import { type Static, Type } from 'typebox'
import { CaretAnnotation } from './caret.js'
import { FileAttachmentAnnotation } from './file-attachment.js'
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
import { UnsupportedAnnotation } from './unsupported.js'
import { WidgetAnnotation } from './widget.js'

export const Annotation = Type.Union([
  HighlightAnnotation,
  UnderlineAnnotation,
  SquigglyAnnotation,
  StrikeoutAnnotation,
  SquareAnnotation,
  CircleAnnotation,
  PolygonAnnotation,
  PolylineAnnotation,
  LineAnnotation,
  InkAnnotation,
  FreeTextAnnotation,
  CaretAnnotation,
  TextAnnotation,
  StampAnnotation,
  FileAttachmentAnnotation,
  LinkAnnotation,
  PopupAnnotation,
  RedactAnnotation,
  WidgetAnnotation,
  UnsupportedAnnotation,
])
export type Annotation = Static<typeof Annotation>
