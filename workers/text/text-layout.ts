// Lays out text with its font, and with fallback fonts for characters that the font lacks.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { StandardFont } from '../contract/standard-font.js'
import { entry } from '../objects/values.js'
import { number } from './content-operands.js'
import { standardFontOfResource } from './fonts.js'
import { isComplex } from './shaping/complex-text.js'
import type { Flow } from './shaping/direction.js'
import { type LinePart, linePartsOf } from './shaping/line-parts.js'
import type { ScriptFont, Weight } from './shaping/script-fonts.js'
import { ShapedFont } from './shaping/shaped-font.js'
import {
  baseNameOf,
  EmbeddedWrittenFont,
  FileWrittenFont,
  StandardWrittenFont,
  type WrittenFont,
} from './written-font.js'

/** Fallback font with Latin, Chinese, Japanese and Korean; the only such font of the engine. */
const widestFont = 'ja'

/** Matches names that need no escapes in a content stream. */
const plainName = /^[A-Za-z0-9_.+-]{1,64}$/

/** Replacement for characters that no font has. */
const box = '□'
/** Matches characters that are omitted, not replaced, if no font has them: marks and control characters. */
const invisible = /[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const blank = /[\t\p{Z}]/u

interface NamedFont {
  readonly name: string
  readonly font: WrittenFont
}

interface Run {
  readonly named: NamedFont
  text: string
}

/** A character with the font it is written with, without shaping. */
interface WrittenText {
  /** Character that is written: the original, a replacement, or '' if no font has it. */
  readonly character: string
  readonly named: NamedFont | undefined
  /** True if the glyph shown is a replacement and does not stand for the character. */
  readonly isBox: boolean
}

interface LaidOut {
  /** Advance width as a fraction of the em. */
  readonly width: number
  readonly top: number
  readonly show: (size: number) => string
}

export interface TextLayoutChoice {
  /** Resource name in the default appearance. */
  readonly fontName: string | undefined
  /** Font resources to search for characters. */
  readonly resources: readonly PDFObject[]
}

export class TextLayout {
  readonly #name: string
  readonly #weight: Weight
  readonly #fonts: readonly NamedFont[]
  readonly #shaped = new Map<ScriptFont, ShapedFont>()
  readonly #used = new Set<NamedFont>()
  readonly #known = new Map<string, WrittenText>()
  readonly #laidOut = new Map<string, LaidOut>()

  constructor({ fontName, resources }: TextLayoutChoice) {
    const standard = textFontOf(standardFontOfResource(fontName, resources))
    const own = resources
      .map((dictionary) => FileWrittenFont.from(entry(dictionary, 'Font', fontName ?? '')))
      .find((font) => font !== undefined)
    this.#name = fontName !== undefined && plainName.test(fontName) ? fontName : 'Helv'
    this.#weight = standard.includes('bold') ? 'bold' : 'regular'
    this.#fonts = [
      { name: this.#name, font: own ?? new StandardWrittenFont(standard) },
      { name: `${this.#name}Wide`, font: new EmbeddedWrittenFont(baseNameOf(standard)) },
      { name: `${this.#name}All`, font: new EmbeddedWrittenFont(widestFont) },
    ]
  }

  /** Returns the width as a fraction of the em. */
  widthOf(text: string, flow: Flow = {}): number {
    return this.#isPlain(text, flow) ? this.#plainWidth(text) : this.#layOut(text, flow).width
  }

  /** Returns the height above the baseline as a fraction of the em, if it exceeds that of letters. */
  topOf(text: string): number {
    return this.#isPlain(text, {}) ? 0 : this.#layOut(text, {}).top
  }

  /** Returns operators that show the text at the current position of a text object. */
  show(text: string, size: number, flow: Flow = {}): string {
    return this.#isPlain(text, flow) ? this.#showPlain(text, size) : this.#layOut(text, flow).show(size)
  }

  /** Returns the font resources of all text shown so far. */
  fontResources(pdf: PDFDocument): PDFObject {
    const dictionary = pdf.newDictionary()
    for (const { name, font } of this.#used) dictionary.put(name, font.resource(pdf))
    for (const font of this.#shaped.values()) {
      if (font.isUsed) dictionary.put(this.#nameOf(font), font.resource(pdf))
    }
    return dictionary
  }

  destroy(): void {
    for (const { font } of this.#fonts) font.destroy()
  }

  /** True if the text can be written character by character, without shaping. */
  #isPlain(text: string, { direction }: Flow): boolean {
    if (direction === 'rtl' || isComplex(text)) return false
    for (const character of text) if (this.#writtenOf(character).isBox) return false
    return true
  }

  #layOut(text: string, flow: Flow): LaidOut {
    const key = [flow.direction, flow.before, flow.after, text].join('\n')
    const known = this.#laidOut.get(key)
    if (known !== undefined) return known
    const choice = { weight: this.#weight, isPlain: (character: string) => !this.#writtenOf(character).isBox }
    const parts = linePartsOf(text, flow, choice).map((part) => this.#layOutPart(part))
    const made: LaidOut = {
      width: parts.reduce((sum, { width }) => sum + width, 0),
      top: parts.reduce((highest, { top }) => Math.max(highest, top), 0),
      show: (size) => parts.map((part) => part.show(size)).join('\n'),
    }
    this.#laidOut.set(key, made)
    return made
  }

  #layOutPart(part: LinePart): LaidOut {
    if (part.kind === 'plain') {
      return { width: this.#plainWidth(part.text), top: 0, show: (size) => this.#showPlain(part.text, size) }
    }
    const font = this.#shaped.get(part.font) ?? new ShapedFont(part.font)
    this.#shaped.set(part.font, font)
    const run = part.font.shape(part.run)
    return {
      width: run.width,
      top: run.top,
      show: (size) => `/${this.#nameOf(font)} ${number(size)} Tf\n${font.show(run, size)}`,
    }
  }

  #nameOf({ font }: ShapedFont): string {
    return `${this.#name}${font.file.tag}`
  }

  #showPlain(text: string, size: number): string {
    return this.#runsOf(text)
      .map(({ named, text: part }) => {
        this.#used.add(named)
        return `/${named.name} ${number(size)} Tf ${named.font.operand(part)} Tj`
      })
      .join('\n')
  }

  #runsOf(text: string): readonly Run[] {
    const runs: Run[] = []
    for (const part of text) {
      const { named, character } = this.#writtenOf(part)
      const last = runs.at(-1)
      if (last !== undefined && last.named === named) last.text += character
      else if (named !== undefined) runs.push({ named, text: character })
    }
    return runs
  }

  #writtenOf(character: string): WrittenText {
    const known = this.#known.get(character)
    if (known !== undefined) return known
    const made = this.#found(character) ?? this.#standIn(character)
    this.#known.set(character, made)
    return made
  }

  #found(character: string): WrittenText | undefined {
    const named = this.#fonts.find(({ font }) => font.has(character))
    return named && { character, named, isBox: false }
  }

  #standIn(character: string): WrittenText {
    const shown = blank.test(character) ? ' ' : invisible.test(character) ? '' : box
    return { ...(this.#found(shown) ?? { named: undefined, character: '' }), isBox: shown === box }
  }

  #plainWidth(text: string): number {
    let width = 0
    for (const part of text) {
      const { named, character } = this.#writtenOf(part)
      width += named?.font.widthOf(character) ?? 0
    }
    return width
  }
}

/** Returns a font for text: symbol fonts cannot write it. */
function textFontOf(font: StandardFont | undefined): StandardFont {
  return font === undefined || font === 'symbol' || font === 'zapf-dingbats' ? 'helvetica' : font
}
