// The character classes of PDF syntax (ISO 32000-2, 7.2.3).

const regular = 0
const space = 1
const delimiter = 2

const classes = Uint8Array.from({ length: 256 }, (_, code) => {
  if ([0, 9, 10, 12, 13, 32].includes(code)) return space
  return '()<>[]{}/%'.includes(String.fromCharCode(code)) ? delimiter : regular
})

// These functions return false for -1, the end of the data.
export const isSpace = (code: number): boolean => classes[code] === space
export const isRegular = (code: number): boolean => classes[code] === regular
export const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Returns the value of a hexadecimal digit; -1 for other characters. */
export function hexDigit(code: number): number {
  if (isDigit(code)) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

export const codeOf = (character: string): number => character.charCodeAt(0)
