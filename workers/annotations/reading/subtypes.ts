// Which reader makes which annotation, by the name of its subtype in the file.
import { lookUp } from '../../objects/look-up.js'
import type { ReadAnnotation } from './annotation-source.js'
import { readFreeText } from './free-text.js'
import { readCaret, readFileAttachment, readStamp, readText } from './notes.js'
import { readRedact } from './redact.js'
import { readCircle, readInk, readLine, readPolygon, readPolyline, readSquare } from './shapes.js'
import { readHighlight, readSquiggly, readStrikeout, readUnderline } from './text-markup.js'
import { readUnsupported } from './unsupported.js'
import { readWidget } from './widget.js'
import { readLink, readPopup } from './windows.js'

const readers: Readonly<Record<string, ReadAnnotation>> = {
  Text: readText,
  Link: readLink,
  FreeText: readFreeText,
  Line: readLine,
  Square: readSquare,
  Circle: readCircle,
  Polygon: readPolygon,
  PolyLine: readPolyline,
  Highlight: readHighlight,
  Underline: readUnderline,
  Squiggly: readSquiggly,
  StrikeOut: readStrikeout,
  Caret: readCaret,
  Stamp: readStamp,
  Ink: readInk,
  Popup: readPopup,
  FileAttachment: readFileAttachment,
  Redact: readRedact,
  Widget: readWidget,
}

export const readerOf = (subtype: string | undefined): ReadAnnotation => lookUp(readers, subtype) ?? readUnsupported
