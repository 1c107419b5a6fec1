// WinAnsiEncoding (ISO 32000-2, annex D.2): the characters that standard fonts can write without being embedded.

/** Characters of codes 0x80 to 0x9f; every other code is the character's number. A blank = no character. */
const high = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'
const highStart = 0x80

const codes: ReadonlyMap<string, number> = new Map(
  Array.from(high, (character, index) => [character, highStart + index] as const).filter(
    ([character]) => character !== ' ',
  ),
)

/** Returns undefined if the encoding lacks the character. */
export function winAnsiCode(character: string): number | undefined {
  const point = character.codePointAt(0) ?? 0
  if ((point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff)) return point
  return codes.get(character)
}
