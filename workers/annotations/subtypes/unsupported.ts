// Annotations whose subtype has no contract, with the numbers that clients use for them.
import { Unsupported } from '../../contract/annotations/unsupported.js'
import { lookUp } from '../../objects/look-up.js'
import { readOnlyWork } from '../subtype-work.js'

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

export const work = readOnlyWork(Unsupported, {
  read({ reading, object }, common) {
    const rawSubtypeName = reading.name(object, 'Subtype') ?? null
    return {
      subtype: 'unsupported',
      ...common,
      rawSubtypeCode: lookUp(subtypeCodes, rawSubtypeName ?? undefined) ?? 0,
      rawSubtypeName,
    }
  },
})
