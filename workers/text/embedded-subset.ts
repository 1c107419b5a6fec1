// Embeds the part of a font that some glyphs need. The engine subsets all fonts of a document at once, so this is done
// in a scratch document with one font.

import { deflateSync } from 'node:zlib'
import type { Font, PDFDocument, PDFObject } from 'mupdf'
import { decodedBytes } from '../engine/engine-memory.js'
import { mupdf } from '../engine/library.js'
import { entry, objectNumberOf } from '../objects/values.js'

/** Meaning of a code: its glyph, its advance width as a fraction of the em, and the text it is read as; '' = none. */
export interface CodedGlyph {
  readonly glyph: number
  readonly width: number
  readonly text: string
}

/** Embeds glyphs under their glyph numbers as codes, read as the font states. Returns a reference. */
export function embeddedGlyphs(pdf: PDFDocument, font: Font, glyphs: readonly number[]): PDFObject {
  return embedded(pdf, font, glyphs, () => undefined)
}

/** Embeds glyphs under the given codes. Returns a reference. */
export function embeddedSubset(pdf: PDFDocument, font: Font, coded: ReadonlyMap<number, CodedGlyph>): PDFObject {
  const sorted = [...coded].sort(([one], [other]) => one - other)
  const glyphs = sorted.map(([, { glyph }]) => glyph)
  return embedded(pdf, font, glyphs, (scratch, whole) => {
    const descendant = whole.get('DescendantFonts', 0)
    descendant.put('CIDToGIDMap', scratch.addStream(glyphNumbers(sorted), {}))
    descendant.put('DW', 0)
    descendant.put(
      'W',
      sorted.flatMap(([code, { width }]) => [code, [Number((width * 1000).toFixed(2))]]),
    )
    whole.put('ToUnicode', scratch.addStream(characterMap(sorted), {}))
  })
}

type CodedEntry = readonly [code: number, meaning: CodedGlyph]

/** Returns the glyph numbers of all codes up to the largest. */
function glyphNumbers(coded: readonly CodedEntry[]): Uint8Array {
  const [largest = 0] = coded.at(-1) ?? []
  const numbers = new Uint16Array(largest + 1)
  for (const [code, { glyph }] of coded) numbers[code] = glyph
  return Buffer.from(numbers.buffer).swap16()
}

/** Writes codes as an operand of `Tj`. */
export const hexadecimal = (codes: readonly number[]): string => `<${codes.map(twoBytes).join('')}>`

const twoBytes = (value: number): string => value.toString(16).padStart(4, '0')

export const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')

/** Maximum number of lines of one block of a character map (ISO 32000-2, 9.10.3). */
const mapBlock = 100

function characterMap(coded: readonly CodedEntry[]): string {
  const lines = coded.flatMap(([code, { text }]) => (text === '' ? [] : [`${hexadecimal([code])} <${utf16(text)}>`]))
  const blocks: string[] = []
  for (let start = 0; start < lines.length; start += mapBlock) {
    const block = lines.slice(start, start + mapBlock)
    blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar')
  }
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<0000> <ffff>',
    'endcodespacerange',
    ...blocks,
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n')
}

/** Embeds a font; `change` alters it in the scratch document, where objects it no longer refers to stay behind. */
function embedded(
  pdf: PDFDocument,
  font: Font,
  glyphs: readonly number[],
  change: (scratch: PDFDocument, whole: PDFObject) => void,
): PDFObject {
  const scratch = new mupdf.PDFDocument()
  try {
    const whole = scratch.addFont(font)
    const resources = scratch.newDictionary()
    resources.put('Font', scratch.newDictionary())
    resources.get('Font').put('F', whole)
    scratch.insertPage(-1, scratch.addPage([0, 0, 100, 100], 0, resources, `BT /F 10 Tf ${hexadecimal(glyphs)} Tj ET`))
    scratch.subsetFonts()
    change(scratch, whole)
    const reference = pdf.graftObject(whole)
    reference.put(embeddedMark, true)
    for (const part of objectsOfEmbedded(reference)) if (part.isStream()) compress(part)
    return reference
  } finally {
    scratch.destroy()
  }
}

function compress(stream: PDFObject): void {
  const deflated = deflateSync(decodedBytes(stream))
  stream.put('Filter', stream._doc.newName('FlateDecode'))
  stream.writeRawStream(deflated)
}

/** Mark of fonts that this program embedded: they belong to one drawing and are removed with it. */
const embeddedMark = 'STWD_Embedded'

/** Returns the objects that make up a font embedded here; empty for any other font. */
export function objectsOfEmbedded(font: PDFObject): readonly PDFObject[] {
  if (!entry(font, embeddedMark).isBoolean()) return []
  const descendant = entry(font, 'DescendantFonts', 0)
  const descriptor = entry(descendant, 'FontDescriptor')
  const parts = [
    font,
    entry(font, 'ToUnicode'),
    entry(font, 'DescendantFonts'),
    descendant,
    entry(descendant, 'W'),
    entry(descendant, 'CIDToGIDMap'),
    descriptor,
    ...['FontFile', 'FontFile2', 'FontFile3'].map((key) => entry(descriptor, key)),
  ]
  return parts.filter((part) => objectNumberOf(part) !== undefined)
}
