// Parses default appearance strings, which set font and colour of text (ISO 32000-2, 12.7.4.3); the last operator of a
// kind counts.
import type { PDFObject } from 'mupdf'
import type { Color } from '../contract/color.js'
import { nameAsWritten } from '../engine/names.js'
import { colorOfComponents } from '../objects/colors.js'
import { lookUp } from '../objects/look-up.js'
import { stringBytesOf, textOf } from '../objects/values.js'

export interface DefaultAppearance {
  /** Name of a font resource. */
  readonly fontName?: string
  /** Font size in points; 0 = as large as fits. */
  readonly fontSize?: number
  /** Fill colour, that of the text. */
  readonly fillColor?: Color
  /** Stroke colour, that of borders. */
  readonly strokeColor?: Color
}

/** Maximum length of a default appearance; longer strings are ignored. */
const charactersMax = 4_096
const token = /\/[^\0\t\n\f\r /()<>[\]{}%]*|[^\0\t\n\f\r /()<>[\]{}%]+/g

const operators: Readonly<Record<string, (operands: readonly string[]) => DefaultAppearance>> = {
  Tf: fontOf,
  g: (operands) => fill(operands.slice(-1)),
  rg: (operands) => fill(operands.slice(-3)),
  k: (operands) => fill(operands.slice(-4)),
  G: (operands) => stroke(operands.slice(-1)),
  RG: (operands) => stroke(operands.slice(-3)),
  K: (operands) => stroke(operands.slice(-4)),
}

/** Returns the string of a /DA with one character per byte, because it names fonts by bytes. */
export const appearanceStringOf = (value: PDFObject): string | undefined => {
  const bytes = stringBytesOf(value)
  return bytes?.startsWith('\xfe\xff') || bytes?.startsWith('\xff\xfe') ? textOf(value) : bytes
}

export function putAppearanceString(object: PDFObject, text: string | null): void {
  if (text === null) object.delete('DA')
  else object.put('DA', object._doc.newByteString(Buffer.from(text, 'latin1')))
}

export function parseDefaultAppearance(text: string | undefined): DefaultAppearance {
  let appearance: DefaultAppearance = {}
  let operands: string[] = []
  for (const [word] of (text ?? '').slice(0, charactersMax).matchAll(token)) {
    const operator = lookUp(operators, word)
    if (operator !== undefined) appearance = { ...appearance, ...operator(operands) }
    if (operator === undefined && isOperand(word)) operands.push(word)
    else operands = []
  }
  return appearance
}

const isOperand = (word: string): boolean => word.startsWith('/') || Number.isFinite(Number(word))

function fontOf(operands: readonly string[]): DefaultAppearance {
  const [name, size] = operands.slice(-2)
  const fontSize = Math.abs(Number(size))
  return {
    ...(name?.startsWith('/') && { fontName: nameAsWritten(name) }),
    ...(Number.isFinite(fontSize) && { fontSize }),
  }
}

function fill(operands: readonly string[]): DefaultAppearance {
  const color = colorOfComponents(operands.map(Number))
  return color === undefined ? {} : { fillColor: color }
}

function stroke(operands: readonly string[]): DefaultAppearance {
  const color = colorOfComponents(operands.map(Number))
  return color === undefined ? {} : { strokeColor: color }
}
