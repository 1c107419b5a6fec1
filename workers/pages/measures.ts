// Reads scales of drawings and of annotations that measure (ISO 32000-2, 12.9).
import type { PDFObject } from 'mupdf'
import type { Measure, Measurement } from '../contract/measurement.js'
import type { NumberFormat } from '../contract/number-format.js'
import type { PageSpace } from '../document/page-space.js'
import type { Reading } from '../document/reading.js'
import { lookUp } from '../objects/look-up.js'
import { readingLimits } from '../objects/reading-limits.js'
import {
  booleanOf,
  elementsOf,
  entry,
  integerOf,
  isDictionary,
  nameOf,
  numbersOf,
  positiveOf,
} from '../objects/values.js'

type Fraction = NonNullable<NumberFormat['fraction']>

export const fractions: Readonly<Record<string, Fraction>> = { D: 'decimal', F: 'fraction', R: 'round', T: 'truncate' }
export const labelPositions: Readonly<Record<string, 'suffix' | 'prefix'>> = { S: 'suffix', P: 'prefix' }

const others: Readonly<Record<string, Measurement>> = { GEO: { subtype: 'geospatial' } }

/** Returns the measurement; null if there is no measure dictionary. A measure without a subtype is rectilinear. */
export function measurementOf(reading: Reading, measure: PDFObject, space: PageSpace): Measurement | null {
  if (!isDictionary(measure)) return null
  const subtype = nameOf(entry(measure, 'Subtype')) ?? 'RL'
  if (subtype === 'RL') return rectilinear(reading, measure, space)
  return lookUp(others, subtype) ?? { subtype: 'unknown' }
}

function rectilinear(reading: Reading, measure: PDFObject, space: PageSpace): Measure {
  const formats = (key: string) => formatsOf(reading, entry(measure, key))
  const ratio = reading.text(measure, 'R')
  const y = formats('Y')
  const angle = formats('T')
  const slope = formats('S')
  const [originX, originY] = numbersOf(entry(measure, 'O'), 2) ?? []
  const cyx = positiveOf(entry(measure, 'CYX'))
  return {
    subtype: 'rectilinear',
    // The ratio is mandatory, so a missing one is written as an empty text.
    ...(ratio ? { ratio } : {}),
    x: formats('X'),
    ...(y.length > 0 && { y }),
    distance: formats('D'),
    area: formats('A'),
    ...(angle.length > 0 && { angle }),
    ...(slope.length > 0 && { slope }),
    ...(originX !== undefined && originY !== undefined && { origin: space.toPagePoint(originX, originY) }),
    ...(cyx !== undefined && { cyx }),
  }
}

function formatsOf(reading: Reading, array: PDFObject): NumberFormat[] {
  return [...elementsOf(array, readingLimits.numberFormatsMax)]
    .filter(isDictionary)
    .map((format) => formatOf(reading, format))
}

function formatOf(reading: Reading, format: PDFObject): NumberFormat {
  const fraction = lookUp(fractions, nameOf(entry(format, 'F')))
  const precision = integerOf(entry(format, 'D'))
  const fixed = booleanOf(entry(format, 'FD'))
  const labelPosition = lookUp(labelPositions, nameOf(entry(format, 'O')))
  return {
    unit: reading.text(format, 'U') ?? '',
    conversion: positiveOf(entry(format, 'C')) ?? 1,
    ...(fraction !== undefined && { fraction }),
    ...(precision !== undefined && precision >= 1 && { precision }),
    ...(fixed !== undefined && { fixed }),
    ...textMembers(reading, format),
    ...(labelPosition !== undefined && { labelPosition }),
  }
}

function textMembers(reading: Reading, format: PDFObject) {
  const thousands = reading.text(format, 'RT')
  const decimal = reading.text(format, 'RD')
  const prefixSpacing = reading.text(format, 'PS')
  const suffixSpacing = reading.text(format, 'SS')
  return {
    ...(thousands !== undefined && { thousands }),
    ...(decimal !== undefined && { decimal }),
    ...(prefixSpacing !== undefined && { prefixSpacing }),
    ...(suffixSpacing !== undefined && { suffixSpacing }),
  }
}
