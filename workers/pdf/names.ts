// Names of PDF objects as strings of this program. A name is a sequence of bytes and mostly UTF-8 (ISO 32000-2, 7.3.5); of
// one that is not, each byte outside a valid sequence is a lone surrogate (U+DC80 to U+DCFF): two names are equal here
// exactly where they are in the file, and none is altered by being written back.

const rawBytes = /[\udc80-\udcff]/
const rawByte = /([\udc80-\udcff])/u
const rawBase = 0xdc00

/** What stands for itself in UTF-8, and each other byte. */
const pieces =
  /[\0-\x7f]+|(?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+|([\x80-\xff])/g

/** `bytes`: one character for each. */
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

/** May be true of a name that has none. */
export const mayHaveRawBytes = (name: string): boolean => rawBytes.test(name)

/**
 * The name as clients read it: names that are no UTF-8 come from programs that write the encoding of their system, mostly
 * that of Windows.
 */
export const shownName = (name: string): string =>
  rawByte.test(name)
    ? bytesOfName(name)
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, (byte) => windows1252[byte.charCodeAt(0) - 0x80] ?? byte)
    : name

/** The bytes 80 to 9F. `TextDecoder` of some versions of Node takes them for control characters. */
const windows1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Each name as clients read it, where no two may look the same: of such a pair each raw byte is spelled `#FC`. */
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

/** As a content stream writes it: one character for each byte, with a slash. */
export const writtenName = (name: string): string =>
  `/${bytesOfName(name)
    .toString('latin1')
    .replace(/[^!-~]|[#%()/<>[\]{}]/g, (character) => `#${hexadecimal(character.charCodeAt(0))}`)}`

/** What a content stream wrote, with its slash. The engine takes `#00` for the three characters it is. */
export const nameAsWritten = (token: string): string =>
  nameFromBytes(
    token
      .slice(1)
      .replace(/#(?!00)([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
  )

const hexadecimal = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0')
