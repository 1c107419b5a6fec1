// Fonts that text can be written with: standard fonts, which every reader has; fonts of the file; and fonts that are
// embedded because neither of them has the characters.
import type { Font, PDFDocument, PDFObject } from 'mupdf'
import type { StandardFont } from '../contract/standard-font.js'
import { mupdf } from '../engine/library.js'
import { entry, integerOf, isArray, isDictionary, nameOf, numberOf } from '../objects/values.js'
import { literal } from './content-operands.js'
import { embeddedGlyphs, hexadecimal } from './embedded-subset.js'
import { winAnsiCode } from './win-ansi.js'

export interface WrittenFont {
  has(character: string): boolean
  /** Returns the advance width as a fraction of the em: 0.5 = half the font size. */
  widthOf(character: string): number
  /** Returns the text as an operand of `Tj`. */
  operand(text: string): string
  /** Returns the font resource; called once, after `operand` was called for all text. */
  resource(pdf: PDFDocument): PDFObject
  destroy(): void
}

/** Names of the standard fonts (ISO 32000-2, 9.6.2.2). */
const baseNames: Readonly<Record<StandardFont, string>> = {
  courier: 'Courier',
  'courier-bold': 'Courier-Bold',
  'courier-bold-oblique': 'Courier-BoldOblique',
  'courier-oblique': 'Courier-Oblique',
  helvetica: 'Helvetica',
  'helvetica-bold': 'Helvetica-Bold',
  'helvetica-bold-oblique': 'Helvetica-BoldOblique',
  'helvetica-oblique': 'Helvetica-Oblique',
  'times-roman': 'Times-Roman',
  'times-bold': 'Times-Bold',
  'times-bold-italic': 'Times-BoldItalic',
  'times-italic': 'Times-Italic',
  symbol: 'Symbol',
  'zapf-dingbats': 'ZapfDingbats',
}

export const baseNameOf = (font: StandardFont): string => baseNames[font]

export class StandardWrittenFont implements WrittenFont {
  readonly #metrics: Font

  constructor(readonly font: StandardFont) {
    this.#metrics = new mupdf.Font(baseNames[font])
  }

  has(character: string): boolean {
    return winAnsiCode(character) !== undefined
  }

  widthOf(character: string): number {
    return this.#metrics.advanceGlyph(this.#metrics.encodeCharacter(character.codePointAt(0) ?? 0))
  }

  operand(text: string): string {
    return winAnsi(text)
  }

  resource(pdf: PDFDocument): PDFObject {
    return standardFontResource(pdf, this.font)
  }

  destroy(): void {
    this.#metrics.destroy()
  }
}

/** Returns a font dictionary of its own, independent of other entries of the file under that name. */
export function standardFontResource(pdf: PDFDocument, font: StandardFont): PDFObject {
  const dictionary = pdf.newDictionary()
  dictionary.put('Type', pdf.newName('Font'))
  dictionary.put('Subtype', pdf.newName('Type1'))
  dictionary.put('BaseFont', pdf.newName(baseNames[font]))
  const hasOwnEncoding = font === 'symbol' || font === 'zapf-dingbats'
  if (!hasOwnEncoding) dictionary.put('Encoding', pdf.newName('WinAnsiEncoding'))
  return dictionary
}

/** A font of the file that is embedded completely and defines its encoding and widths. */
export class FileWrittenFont implements WrittenFont {
  readonly #firstCode: number
  readonly #widths: PDFObject

  private constructor(private readonly dictionary: PDFObject) {
    this.#firstCode = integerOf(entry(dictionary, 'FirstChar')) ?? 0
    this.#widths = entry(dictionary, 'Widths')
  }

  /**
   * Returns the font; undefined for one that text cannot be written with: a subset with unknown missing characters, or
   * a font with an encoding of its own.
   */
  static from(dictionary: PDFObject): FileWrittenFont | undefined {
    const isSimple = ['Type1', 'TrueType', 'MMType1'].includes(nameOf(entry(dictionary, 'Subtype')) ?? '')
    const isSubset = /^[A-Z]{6}\+/.test(nameOf(entry(dictionary, 'BaseFont')) ?? '')
    const isReadable = nameOf(entry(dictionary, 'Encoding')) === 'WinAnsiEncoding'
    const isComplete = isArray(entry(dictionary, 'Widths')) && isDictionary(entry(dictionary, 'FontDescriptor'))
    return isSimple && isReadable && isComplete && !isSubset ? new FileWrittenFont(dictionary) : undefined
  }

  has(character: string): boolean {
    return this.#widthOfCode(winAnsiCode(character)) > 0
  }

  widthOf(character: string): number {
    return this.#widthOfCode(winAnsiCode(character)) / 1000
  }

  operand(text: string): string {
    return winAnsi(text)
  }

  resource(): PDFObject {
    return this.dictionary
  }

  destroy(): void {
    // The file contains the font, so no font is embedded.
  }

  #widthOfCode(code: number | undefined): number {
    const place = (code ?? -1) - this.#firstCode
    return place < 0 ? 0 : (numberOf(entry(this.#widths, place)) ?? 0)
  }
}

/** A font of the engine, of which the characters used are embedded. */
export class EmbeddedWrittenFont implements WrittenFont {
  readonly #used = new Set<number>()
  #font: Font | undefined

  constructor(private readonly name: string) {}

  has(character: string): boolean {
    return this.#glyphOf(character) > 0
  }

  widthOf(character: string): number {
    return this.#loaded.advanceGlyph(this.#glyphOf(character))
  }

  operand(text: string): string {
    const glyphs = Array.from(text, (character) => this.#glyphOf(character))
    for (const glyph of glyphs) this.#used.add(glyph)
    return hexadecimal(glyphs)
  }

  resource(pdf: PDFDocument): PDFObject {
    return embeddedGlyphs(pdf, this.#loaded, [...this.#used])
  }

  destroy(): void {
    this.#font?.destroy()
  }

  get #loaded(): Font {
    this.#font ??= new mupdf.Font(this.name)
    return this.#font
  }

  #glyphOf(character: string): number {
    return this.#loaded.encodeCharacter(character.codePointAt(0) ?? 0)
  }
}

const winAnsi = (text: string): string =>
  literal(Array.from(text, (character) => String.fromCharCode(winAnsiCode(character) ?? 0x20)).join(''))
