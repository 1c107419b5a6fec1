// Attributes of XFDF for the border of an annotation.
import type { PDFObject } from 'mupdf'
import { borderOf, cloudOf } from '../../annotations/reading/shared-members.js'
import { entry, isArray, isDictionary } from '../../objects/values.js'
import { borderWords } from './words.js'
import { type Attributes, listText, nameIn, numberText } from './written-values.js'

export function borderAttributes(object: PDFObject): Attributes {
  const { strokeWidth, borderStyle, dashArray } = borderOf({ object })
  const { cloudyIntensity } = cloudOf({ object })
  const isStated = isDictionary(entry(object, 'BS')) || isArray(entry(object, 'Border'))
  const style = borderWords[nameIn(entry(object, 'BS'), 'S') ?? ''] ?? (borderStyle === 'dashed' ? 'dash' : undefined)
  return {
    width: isStated ? numberText(strokeWidth) : undefined,
    style: cloudyIntensity === null ? style : 'cloudy',
    dashes: dashArray === null || dashArray.length === 0 ? undefined : listText(dashArray),
    intensity: cloudyIntensity === null ? undefined : numberText(cloudyIntensity),
  }
}
