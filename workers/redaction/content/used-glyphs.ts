// Reduces Type3 fonts (ISO 32000-2, 9.6.4), whose glyphs are content streams and may be words or pictures, to the
// glyphs that a redacted page still shows.

import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { operatorsOf } from '../../content/operators.js'
import { decodedBytes } from '../../engine/engine-memory.js'
import { orElse } from '../../engine/trap.js'
import { inlineCopy } from '../../objects/inline-copy.js'
import { elementsOf, entriesOf, entry, integerOf, isDictionary, isName, nameOf } from '../../objects/values.js'
import { isMark, elementsOf as partsOf } from './plain-operators.js'

const entriesMax = 1_000
/** Maximum length of an encoding's differences: 256 codes, each with a start. */
const differencesMax = 512

export const isDrawnFont = (font: PDFObject): boolean => nameOf(entry(font, 'Subtype')) === 'Type3'

/** Returns the font with only the glyphs of `codes`. */
export function withGlyphs({ pdf }: Change, font: PDFObject, codes: ReadonlySet<number>): PDFObject {
  const copy = pdf.newDictionary()
  const replaced = new Set(['CharProcs', 'Encoding', 'ToUnicode', 'Metadata', 'PieceInfo'])
  for (const [key, value] of entriesOf(font, entriesMax)) if (!replaced.has(key)) copy.put(key, inlineCopy(value))
  const [glyphs, differences] = [pdf.newDictionary(), pdf.newArray()]
  for (const [code, name] of glyphNames(font)) {
    if (!codes.has(code)) continue
    differences.push(code)
    differences.push(pdf.newName(name))
    const drawing = entry(font, 'CharProcs', name)
    if (!drawing.isNull()) glyphs.put(pdf.newName(name), withoutMarks(drawing))
  }
  const encoding = pdf.newDictionary()
  encoding.put('Type', pdf.newName('Encoding'))
  encoding.put('Differences', differences)
  copy.put('Encoding', encoding)
  copy.put('CharProcs', glyphs)
  const unicode = entry(font, 'ToUnicode')
  if (unicode.isStream()) copy.put('ToUnicode', withCodes(unicode, codes))
  return pdf.addObject(copy)
}

/** Returns a glyph without the properties of its marked content: they are no text, but may say anything. */
function withoutMarks(glyph: PDFObject): PDFObject {
  if (!glyph.isStream()) return glyph
  const content = orElse('', () => decodedBytes(glyph).toString('latin1'))
  if (!hasMarks.test(content)) return glyph
  const plain = [...operatorsOf(content)].filter((operator) => !isMark(operator)).map(({ text }) => text)
  const copy = glyph._doc.addStream(Buffer.from(plain.join('\n'), 'latin1'), {})
  const own = entry(glyph, 'Resources')
  if (!own.isNull()) copy.put('Resources', own)
  return copy
}

const hasMarks = /B[DM]C|[DM]P/

function glyphNames(font: PDFObject): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  let code = 0
  const encoding = entry(font, 'Encoding')
  for (const element of elementsOf(
    isDictionary(encoding) ? entry(encoding, 'Differences') : encoding,
    differencesMax,
  )) {
    if (isName(element)) names.set(code++, element.asName())
    else code = integerOf(element) ?? code
  }
  return names
}

/** Returns the character map (9.10.3) of the remaining codes, which are of one byte in a font of this kind. */
function withCodes(unicode: PDFObject, codes: ReadonlySet<number>): PDFObject {
  const text = decodedBytes(unicode).toString('latin1')
  const lines = [...meaningsIn(text)].flatMap(([code, meant]) =>
    codes.has(code) ? [`<${code.toString(16).padStart(2, '0')}> <${meant}>`] : [],
  )
  return unicode._doc.addStream(cmapOf(lines.slice(0, codesMax)), {})
}

/** Number of codes of one byte. */
const codesMax = 256

/** Yields codes with their characters in UTF-16, as hexadecimal digits. */
function* meaningsIn(text: string): Generator<readonly [number, string]> {
  for (const { name, operands } of operatorsOf(text)) {
    if (name === 'endbfchar') {
      for (let at = 0; at + 1 < operands.length; at += 2) yield [codeOf(operands[at]), digitsOf(operands[at + 1])]
    }
    if (name !== 'endbfrange') continue
    for (let at = 0; at + 2 < operands.length; at += 3) {
      const [low, high, meant = ''] = [codeOf(operands[at]), codeOf(operands[at + 1]), operands[at + 2]]
      const each = meant.startsWith('[') ? partsOf(meant) : undefined
      for (let code = low; code <= Math.min(high, codesMax - 1); code++)
        yield [code, each === undefined ? advanced(digitsOf(meant), code - low) : digitsOf(each[code - low])]
    }
  }
}

const digitsOf = (string = ''): string => string.replace(/[^0-9A-Fa-f]/g, '')
const codeOf = (string: string | undefined): number => Number.parseInt(digitsOf(string), 16)

/** Returns the digits with the last character moved on. */
const advanced = (digits: string, by: number): string =>
  digits.slice(0, -4) + ((Number.parseInt(digits.slice(-4), 16) + by) & 0xffff).toString(16).padStart(4, '0')

const perBlock = 100

function cmapOf(lines: readonly string[]): string {
  const blocks = Array.from({ length: Math.ceil(lines.length / perBlock) }, (_, block) => {
    const some = lines.slice(block * perBlock, (block + 1) * perBlock)
    return `${some.length} beginbfchar\n${some.join('\n')}\nendbfchar\n`
  })
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <00> <FF> endcodespacerange',
    `${blocks.join('')}endcmap CMapName currentdict /CMap defineresource pop end end`,
  ].join('\n')
}
