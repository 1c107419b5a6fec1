// Kinds of annotations without members of their own here, with the numbers clients know them by.
import { lookUp } from '../../objects/look-up.js'
import type { ReadAnnotation } from './annotation-source.js'

const subtypeCodes: Readonly<Record<string, number>> = {
  Sound: 18,
  Movie: 19,
  Screen: 21,
  PrinterMark: 22,
  TrapNet: 23,
  Watermark: 24,
  '3D': 25,
  RichMedia: 26,
}

export const readUnsupported: ReadAnnotation = ({ reading, object }, common) => {
  const rawSubtypeName = reading.name(object, 'Subtype') ?? null
  return {
    subtype: 'unsupported',
    ...common,
    rawSubtypeCode: lookUp(subtypeCodes, rawSubtypeName ?? undefined) ?? 0,
    rawSubtypeName,
  }
}
