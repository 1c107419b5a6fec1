// PDF names as strings. A name is a byte sequence, usually UTF-8 (ISO 32000-2, 7.3.5); each byte outside a valid
// sequence becomes a lone surrogate (U+DC80 to U+DCFF). Thus two strings are equal exactly if the names in the file
// are, and names are written back unchanged.

const rawBytes = /[\udc80-\udcff]/
const rawByte = /([\udc80-\udcff])/u
const rawBase = 0xdc00

/** Matches a valid UTF-8 sequence, or any other byte. */
const pieces =
  /[\0-\x7f]+|(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+|([\x80-\xff])/g

/** Decodes a name. `bytes`: one character per byte. */
export const nameFromBytes = (bytes: string): string =>
  bytes.replace(pieces, (piece, byte?: string) =>
    byte === undefined
      ? Buffer.from(piece, 'latin1').toString('utf8')
      : String.fromCharCode(rawBase + byte.charCodeAt(0)),
  )

export function bytesOfName(name: string): Buffer {
  const parts = name.split(rawByte)
  return Buffer.concat(
    parts.map((part, place) =>
      place % 2 === 0 ? Buffer.from(part, 'utf8') : Buffer.from([part.charCodeAt(0) - rawBase]),
    ),
  )
}

/** Returns false if the name certainly has no raw bytes. */
export const mayHaveRawBytes = (name: string): boolean => rawBytes.test(name)

/**
 * Returns the name as shown to clients. Names that are not UTF-8 were mostly written in the Windows encoding.
 */
export const shownName = (name: string): string =>
  rawByte.test(name)
    ? bytesOfName(name)
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte)
    : name

/** Characters of bytes 80 to 9F. `TextDecoder` in some Node versions decodes them as control characters. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Maps names to the form that clients see. If two would look the same, the raw bytes of both are spelled `#FC`. */
export function shownNames(names: readonly string[]): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)]
  const isTaken = (name: string) => distinct.some((other) => other !== name && shownName(other) === shownName(name))
  return new Map(distinct.map((name) => [name, rawByte.test(name) && isTaken(name) ? spelled(name) : shownName(name)]))
}

const spelled = (name: string): string =>
  name
    .split(rawByte)
    .map((part, place) => (place % 2 === 0 ? part : `#${hexadecimal(part.charCodeAt(0) - rawBase)}`))
    .join('')

/** Returns the name as a content stream spells it: one character per byte, after a slash. */
export const writtenName = (name: string): string =>
  `/${bytesOfName(name)
    .toString('latin1')
    .replace(/[^!-~]|[#%()/<>[\]{}]/g, (character) => `#${hexadecimal(character.charCodeAt(0))}`)}`

/** Parses a name from a content stream, slash included. The engine reads `#00` as three characters. */
export const nameAsWritten = (token: string): string =>
  nameFromBytes(
    token
      .slice(1)
      .replace(/#(?!00)([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  )

const hexadecimal = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')
