// A TrueType font whose program states an advance of almost nothing for its glyphs, as subsets without widths do: the
// widths of the PDF font alone are right. Glyphs 1 to 26 are the letters; each is a block.
import type { RawObjects } from './raw-pdf.js'

const glyphs = 27
const advance = 30

const int16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [index, value] of values.entries()) bytes.writeInt16BE(value, 2 * index)
  return bytes
}

const int32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** A block from 50 to 450 across, 0 to 600 up: one contour of four points on the curve. */
const block = Buffer.concat([
  int16(1, 50, 0, 450, 600, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  int16(50, 400, 0, -400),
  int16(0, 0, 600, 0),
])

const tables: Readonly<Record<string, Buffer>> = {
  cmap: int16(0, 0),
  glyf: Buffer.concat(Array.from({ length: glyphs }, () => block)),
  head: Buffer.concat([
    int32(0x10000, 0x10000, 0, 0x5f0f3cf5),
    int16(0, 1000),
    Buffer.alloc(16),
    int16(50, 0, 450, 600, 0, 8, 2, 1, 0),
  ]),
  hhea: Buffer.concat([int32(0x10000), int16(800, -200, 0, advance, 0, 0, 450, 1, 0, 0, 0, 0, 0, 0, 0, glyphs)]),
  hmtx: int16(...Array.from({ length: glyphs }, () => [advance, 50]).flat()),
  loca: int32(...Array.from({ length: glyphs + 1 }, (_, index) => index * block.length)),
  maxp: Buffer.concat([int32(0x10000), int16(glyphs, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)]),
}

function program(): Buffer {
  const names = Object.keys(tables)
  let offset = 12 + 16 * names.length
  const directory: Buffer[] = [int32(0x10000), int16(names.length, 64, 2, 48)]
  const bodies: Buffer[] = []
  for (const name of names) {
    const table = tables[name] ?? Buffer.alloc(0)
    directory.push(Buffer.from(name), int32(0, offset, table.length))
    const padded = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)])
    bodies.push(padded)
    offset += padded.length
  }
  return Buffer.concat([...directory, ...bodies])
}

const letters = Array.from({ length: 26 }, (_, index) => {
  const code = (index + 1).toString(16).padStart(4, '0')
  return `<${code}> <${(0x61 + index).toString(16).padStart(4, '0')}>`
})
const toUnicode = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 26 beginbfchar ${letters.join(' ')} endbfchar endcmap`

/** The font `F1` as objects from 60 on; every glyph is half an em wide. */
export const narrowFont: { readonly resources: string; readonly further: RawObjects } = {
  resources: '/Font<</F1 60 0 R>>',
  further: {
    60: '<</Type/Font/Subtype/Type0/BaseFont/Narrow/Encoding/Identity-H/DescendantFonts[61 0 R]/ToUnicode 64 0 R>>',
    61: '<</Type/Font/Subtype/CIDFontType2/BaseFont/Narrow/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/CIDToGIDMap/Identity/FontDescriptor 62 0 R>>',
    62: '<</Type/FontDescriptor/FontName/Narrow/Flags 4/FontBBox[0 0 500 700]/ItalicAngle 0/Ascent 700/Descent 0/CapHeight 700/StemV 80/FontFile2 63 0 R>>',
    63: { body: '<<>>', stream: program().toString('latin1') },
    64: { body: '<<>>', stream: toUnicode },
  },
}

/** String operand of a word in the font. */
export const inNarrowFont = (word: string): string =>
  `<${Array.from(word, (letter) => (letter.charCodeAt(0) - 0x60).toString(16).padStart(4, '0')).join('')}>`
