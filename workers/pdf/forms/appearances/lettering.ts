// Writes text with the font it should have, and with others where that one lacks characters.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { StandardFont } from '../../../shapes/standard-font.js'
import { standardFontOfResource } from '../../fonts.js'
import { entry } from '../../values.js'
import { number } from './content.js'
import {
  baseNameOf,
  EmbeddedWrittenFont,
  FileWrittenFont,
  StandardWrittenFont,
  type WrittenFont,
} from './written-font.js'

/** Has Latin, Chinese, Japanese and Korean; the engine's only one that does. */
const widestFont = 'ja'

/** Names that need no escapes in a content stream. */
const plainName = /^[A-Za-z0-9_.+-]{1,64}$/

interface NamedFont {
  readonly name: string
  readonly font: WrittenFont
}

interface Run {
  readonly named: NamedFont
  text: string
}

export interface LetteringChoice {
  /** The resource a default appearance names. */
  readonly fontName: string | undefined
  /** Where it may be found. */
  readonly resources: readonly PDFObject[]
}

export class Lettering {
  readonly #fonts: readonly NamedFont[]
  readonly #used = new Set<NamedFont>()
  readonly #widths = new Map<string, number>()

  constructor({ fontName, resources }: LetteringChoice) {
    const standard = textFontOf(standardFontOfResource(fontName, resources))
    const own = resources
      .map((dictionary) => FileWrittenFont.from(entry(dictionary, 'Font', fontName ?? '')))
      .find((font) => font !== undefined)
    const name = fontName !== undefined && plainName.test(fontName) ? fontName : 'Helv'
    this.#fonts = [
      { name, font: own ?? new StandardWrittenFont(standard) },
      { name: `${name}Wide`, font: new EmbeddedWrittenFont(baseNameOf(standard), false) },
      { name: `${name}All`, font: new EmbeddedWrittenFont(widestFont, true) },
    ]
  }

  /** Of the em. */
  widthOf(text: string): number {
    let width = 0
    for (const character of text) width += this.#characterWidth(character)
    return width
  }

  /** Operators that write it at the current place of a text object. */
  show(text: string, size: number): string {
    return this.#runsOf(text)
      .map(({ named, text: part }) => {
        this.#used.add(named)
        return `/${named.name} ${number(size)} Tf ${named.font.operand(part)} Tj`
      })
      .join('\n')
  }

  /** The fonts of everything that was shown. */
  fontResources(pdf: PDFDocument): PDFObject {
    const dictionary = pdf.newDictionary()
    for (const { name, font } of this.#used) dictionary.put(name, font.resource(pdf))
    return dictionary
  }

  destroy(): void {
    for (const { font } of this.#fonts) font.destroy()
  }

  #runsOf(text: string): readonly Run[] {
    const runs: Run[] = []
    for (const character of text) {
      const named = this.#fontOf(character)
      const last = runs.at(-1)
      if (last !== undefined && last.named === named) last.text += character
      else if (named !== undefined) runs.push({ named, text: character })
    }
    return runs
  }

  #fontOf(character: string): NamedFont | undefined {
    return this.#fonts.find(({ font }) => font.has(character))
  }

  #characterWidth(character: string): number {
    const known = this.#widths.get(character)
    if (known !== undefined) return known
    const width = this.#fontOf(character)?.font.widthOf(character) ?? 0
    this.#widths.set(character, width)
    return width
  }
}

/** Fonts of signs cannot write text. */
function textFontOf(font: StandardFont | undefined): StandardFont {
  return font === undefined || font === 'symbol' || font === 'zapf-dingbats' ? 'helvetica' : font
}
