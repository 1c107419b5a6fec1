// Finds the standard font that is closest to a font of the file, by name.
import type { PDFObject } from 'mupdf'
import type { StandardFont } from '../contract/standard-font.js'
import { lookUp } from '../objects/look-up.js'
import { entry, nameOf } from '../objects/values.js'

/** Usual resource names in forms, which stand for these fonts even if the resource is missing. */
export const fontAliases: Readonly<Record<string, StandardFont>> = {
  Cour: 'courier',
  CoBo: 'courier-bold',
  CoBO: 'courier-bold-oblique',
  CoOb: 'courier-oblique',
  Helv: 'helvetica',
  HeBo: 'helvetica-bold',
  HeBO: 'helvetica-bold-oblique',
  HeOb: 'helvetica-oblique',
  TiRo: 'times-roman',
  TiBo: 'times-bold',
  TiBI: 'times-bold-italic',
  TiIt: 'times-italic',
  Symb: 'symbol',
  ZaDb: 'zapf-dingbats',
}

/** A font as a family and its style. */
export interface Face {
  readonly family: string
  readonly weight: number
  readonly italic: boolean
}

export const plainWeight = 400
export const boldWeight = 700
/** Minimum weight of letters that are drawn bold. */
const boldWeightMin = 600

const familyNames: Readonly<Record<string, string>> = {
  courier: 'Courier',
  helvetica: 'Helvetica',
  times: 'Times',
  symbol: 'Symbol',
  zapf: 'ZapfDingbats',
}

export function faceOf(font: StandardFont): Face {
  const family = lookUp(familyNames, font.replace(/-.*$/, '')) ?? font
  const weight = font.includes('bold') ? boldWeight : plainWeight
  return { family, weight, italic: /italic|oblique/.test(font) }
}

/** Returns the standard font that is closest to the face. */
export function fontOfFace({ family, weight, italic }: Face): StandardFont {
  const font = standardFontOf(family) ?? 'helvetica'
  return standardFontOf(`${font}${weight >= boldWeightMin ? ' bold' : ''}${italic ? ' italic' : ''}`) ?? font
}

type FontStyles = readonly [plain: StandardFont, bold: StandardFont, italic: StandardFont, both: StandardFont]

const families: readonly (readonly [RegExp, FontStyles])[] = [
  [/courier|mono|consolas/i, ['courier', 'courier-bold', 'courier-oblique', 'courier-bold-oblique']],
  [/times|serif(?!.*sans)|georgia|garamond|roman/i, ['times-roman', 'times-bold', 'times-italic', 'times-bold-italic']],
  [
    /helvetica|arial|sans|verdana|calibri|myriad|tahoma/i,
    ['helvetica', 'helvetica-bold', 'helvetica-oblique', 'helvetica-bold-oblique'],
  ],
  [/^symbol/i, ['symbol', 'symbol', 'symbol', 'symbol']],
  [/dingbats/i, ['zapf-dingbats', 'zapf-dingbats', 'zapf-dingbats', 'zapf-dingbats']],
]

/** Returns the font; undefined if no standard font is close. A subset's prefix (`ABCDEF+`) is ignored. */
export function standardFontOf(name: string | undefined): StandardFont | undefined {
  if (name === undefined) return undefined
  const alias = lookUp(fontAliases, name)
  if (alias !== undefined) return alias
  const family = (/sans/i.test(name) ? [...families].reverse() : families).find(([pattern]) => pattern.test(name))
  if (family === undefined) return undefined
  const [plain, bold, italic, both] = family[1]
  const isBold = /bold|black|heavy/i.test(name)
  const isItalic = /italic|oblique/i.test(name)
  if (isBold) return isItalic ? both : bold
  return isItalic ? italic : plain
}

/** Finds the font by the resource's own name, else by the font it stands for in one of the resource dictionaries. */
export function standardFontOfResource(
  name: string | undefined,
  dictionaries: readonly PDFObject[],
): StandardFont | undefined {
  if (name === undefined) return undefined
  const alias = lookUp(fontAliases, name)
  if (alias !== undefined) return alias
  for (const resources of dictionaries) {
    const font = standardFontOf(nameOf(entry(resources, 'Font', name, 'BaseFont')))
    if (font !== undefined) return font
  }
  return standardFontOf(name)
}
