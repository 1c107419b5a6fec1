// Removes letters that the engine answers twice. Of an /ActualText that ends like the glyphs it stands for, the engine counts
// bytes for characters: it adds what those glyphs say once more before them, without a width, and often ends the line there.
import { along, type EngineLine, extentOf, type LineCharacter } from './engine-lines.js'
import { isMark, type OwnGlyphs } from './own-glyphs.js'

/** Only of characters beyond ASCII have bytes and characters different numbers. */
const repeated = /([^\0-\x7f]{1,8})\s?\1/u

/** False for a text without letters that follow themselves. */
export const mayEcho = (text: string): boolean => repeated.test(text)

export interface WholeLine extends EngineLine {
  /** True if the engine ended the line at an echo. */
  readonly isBroken: boolean
}

export function withoutEchoes(lines: readonly EngineLine[], glyphs: OwnGlyphs): readonly WholeLine[] {
  const widened = new Map<LineCharacter, LineCharacter>()
  const whole = lines.map((line, index) => {
    const next = lines[index + 1]?.characters ?? []
    const dropped = new Set<LineCharacter>()
    let isBroken = false
    for (let from = 0; from < line.characters.length; from++) {
      const echo = echoAt(line, from, glyphs)
      if (echo === undefined) continue
      const rest = line.characters.slice(echo.end)
      const after = rest.length > 0 ? rest : next
      const skipped = after[0]?.text === ' ' && !glyphs.has(' ', after[0].origin) ? 1 : 0
      const count = sharedCount(echo.letters, after.slice(skipped))
      if (count === 0) continue
      for (const one of echo.letters.slice(-count)) dropped.add(one)
      const again = after[skipped]
      if (again !== undefined && count === echo.letters.length) widened.set(again, beginningAt(again, echo.letters[0]))
      if (skipped === 1 && after[0] !== undefined && rest.length > 0) dropped.add(after[0])
      isBroken ||= rest.length === 0
    }
    return { ...line, characters: line.characters.filter((one) => !dropped.has(one)), isBroken }
  })
  return whole.map((line) => ({ ...line, characters: line.characters.map((one) => widened.get(one) ?? one) }))
}

/** Returns a letter that begins at its echo: the glyph there, such as the first part of a vowel sign, belongs to it. */
function beginningAt(letter: LineCharacter, echo: LineCharacter = letter): LineCharacter {
  const [ulx, uly, , , llx, lly] = echo.quad
  const [, , urx, ury, , , lrx, lry] = letter.quad
  return { ...letter, quad: [ulx, uly, urx, ury, llx, lly, lrx, lry] }
}

/** Returns the letters without width where another glyph is drawn, from an index on. */
function echoAt({ characters, direction }: EngineLine, from: number, glyphs: OwnGlyphs) {
  const [first, before] = [characters[from], characters[from - 1]]
  if (first === undefined || isMark(first.text) || first.text.trim() === '' || !isFlat(first)) return undefined
  if (!glyphs.isOther(first.text, first.origin)) return undefined
  const place = along(first.origin, direction)
  if (before !== undefined && isFlat(before) && along(before.origin, direction) === place) return undefined
  let end = from
  for (let one = characters[end]; one !== undefined && isFlat(one); one = characters[end]) {
    if (along(one.origin, direction) !== place) break
    end++
  }
  return { letters: characters.slice(from, end), end }

  function isFlat({ quad }: LineCharacter): boolean {
    const extent = extentOf(quad, direction)
    return extent.from === extent.to
  }
}

/** Maximum number of letters of an echo. */
const lettersMax = 64

/** Returns how many of the last characters come again first. */
function sharedCount(letters: readonly LineCharacter[], after: readonly LineCharacter[]): number {
  for (let count = Math.min(letters.length, after.length, lettersMax); count > 0; count--) {
    if (letters.slice(-count).every(({ text }, index) => text === after[index]?.text)) return count
  }
  return 0
}
