// Text of a page in reading order. Text from left to right is taken as the engine has it; rows with other text are put in
// logical order (UAX 9), which the engine knows only for rows without ligatures, Arabic digits and changes of direction.
import type { Device, DisplayList, Matrix, Point, StructuredText } from 'mupdf'
import { mupdf } from '../../engine/library.js'
import { mayEcho, withoutEchoes } from './echoes.js'
import { linesOf } from './engine-lines.js'
import { mayTurn } from './logical-order.js'
import { type OrderedCharacter, orderedLines } from './ordered-lines.js'
import { OwnGlyphs } from './own-glyphs.js'
import { rowsOf } from './rows.js'

/** What a text is read from: a page, or the look of an annotation. */
export interface TextSource {
  toStructuredText(options: string): StructuredText
  run(device: Device): void
}

export interface TextWalker {
  beginLine?(direction: Point, isVertical: boolean): void
  onCharacter?(character: OrderedCharacter): void
  endLine?(): void
  endBlock?(): void
}

export interface OrderedText {
  /** Code points are numbered as `walk` calls: each line and each block ends with a line break. */
  readonly text: string
  walk(walker: TextWalker): void
}

/** `options`: those of the engine. The text is valid within `use`. */
export function withText<Answer>(source: TextSource, options: string, use: (text: OrderedText) => Answer): Answer {
  const structured = source.toStructuredText(options)
  try {
    const text = structured.asText()
    return use(mayTurn(text) || mayEcho(text) ? corrected(structured, text, source) : asRead(structured, text))
  } finally {
    structured.destroy()
  }
}

const asRead = (structured: StructuredText, text: string): OrderedText => ({
  text,
  walk: ({ beginLine, onCharacter, endLine, endBlock }) =>
    structured.walk({
      ...(beginLine && { beginLine: (_box, mode, direction) => beginLine(direction, mode === 1) }),
      ...(onCharacter && {
        onChar: (character, origin, _font, size, quad) => onCharacter({ text: character, origin, size, quad }),
      }),
      ...(endLine && { endLine }),
      ...(endBlock && { endTextBlock: endBlock }),
    }),
})

function corrected(structured: StructuredText, engineText: string, source: TextSource): OrderedText {
  const glyphs = new OwnGlyphs((device) => source.run(device))
  const lines = orderedLines(rowsOf(withoutEchoes(linesOf(structured, [...engineText]), glyphs), glyphs))
  const text = lines
    .map(({ characters, endsBlock }) => `${characters.map((one) => one.text).join('')}${endsBlock ? '\n\n' : '\n'}`)
    .join('')
  return {
    text,
    walk({ beginLine, onCharacter, endLine, endBlock }) {
      for (const { direction, isVertical, characters, endsBlock } of lines) {
        beginLine?.(direction, isVertical)
        for (const character of characters) onCharacter?.(character)
        endLine?.()
        if (endsBlock) endBlock?.()
      }
    },
  }
}

/** A page without its annotations and fields. */
export const pageSource = (page: {
  toStructuredText(options: string): StructuredText
  runPageContents(device: Device, matrix: Matrix): void
}): TextSource => ({
  toStructuredText: (options) => page.toStructuredText(options),
  run: (device) => page.runPageContents(device, mupdf.Matrix.identity),
})

/** The look of an annotation. */
export const listSource = (list: DisplayList): TextSource => ({
  toStructuredText: (options) => list.toStructuredText(options),
  run: (device) => list.run(device, mupdf.Matrix.identity),
})
