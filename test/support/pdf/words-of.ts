/** Returns the words of a text in any script, in the composed form and without marks of direction. */
export const wordsOf = (characters: string): readonly string[] =>
  characters
    .replace(/\p{Bidi_Control}/gu, '')
    .normalize('NFC')
    .split(/\s+/u)
    .filter((word) => word !== '')
