// Finds the end of an inline image's samples (ISO 32000-2, 8.9.7): they may contain `EI`, so their length is computed.
import { constants, inflateSync } from 'node:zlib'

export interface InlineEnd {
  /** Offsets of the end of the samples and of the end of the operator. */
  readonly samples: number
  readonly operator: number
  /** Characters that must be appended to complete a truncated image. */
  readonly closer: string
}

/** Maximum number of `EI` candidates checked before the first one is accepted. */
const triesMax = 100
/** Number of characters checked after a candidate: if it is the end, readable text follows it. */
const readableLength = 40
const inflatedBytesMax = 64 * 1024 * 1024

const ending = /[\0\t\n\f\r ]EI(?=[\0\t\n\f\r ]|$)/g
const endingHere = /[\0\t\n\f\r ]*EI(?=[\0\t\n\f\r ]|$)/y

/**
 * Returns the end of the image. `operands`: keys and values between `BI` and `ID`; `from`: offset of the first sample.
 */
export function inlineEnd(content: string, from: number, operands: readonly string[]): InlineEnd {
  const entries = entriesIn(operands)
  const measured = measuredEnd(content, from, entries)
  return (measured === undefined ? undefined : endAt(content, measured)) ?? searched(content, from, entries)
}

function endAt(content: string, samples: number): InlineEnd | undefined {
  endingHere.lastIndex = samples
  return endingHere.test(content) ? { samples, operator: endingHere.lastIndex, closer: '' } : undefined
}

function searched(content: string, from: number, entries: Entries): InlineEnd {
  const filter = filterIn(entries)
  const isWhole = wholes[filter ?? '']
  let first: InlineEnd | undefined
  // An image without samples ends immediately.
  ending.lastIndex = Math.max(0, from - 1)
  for (let tries = 0; tries < triesMax; tries++) {
    const match = ending.exec(content)
    if (match === null) break
    const end = { samples: Math.max(from, match.index), operator: ending.lastIndex, closer: '' }
    first ??= end
    const next = content.slice(end.operator, end.operator + readableLength)
    if (isWhole === undefined ? /^[\0\t\n\f\r -~]*$/.test(next) : isWhole(content.slice(from, end.samples))) return end
  }
  return first ?? { samples: content.length, operator: content.length, closer: '\nEI' }
}

const wholes: Readonly<Record<string, (data: string) => boolean>> = {
  Fl: isInflatable,
  FlateDecode: isInflatable,
  DCT: (data) => data.includes('\xff\xd9'),
  DCTDecode: (data) => data.includes('\xff\xd9'),
}

function isInflatable(data: string): boolean {
  try {
    inflateSync(Buffer.from(data, 'latin1'), { finishFlush: constants.Z_FINISH, maxOutputLength: inflatedBytesMax })
    return true
  } catch {
    return false
  }
}

type Entries = ReadonlyMap<string, string>

function entriesIn(operands: readonly string[]): Entries {
  const entries = new Map<string, string>()
  for (let place = 0; place + 1 < operands.length; place += 2)
    entries.set((operands[place] ?? '').slice(1), operands[place + 1] ?? '')
  return entries
}

const valueIn = (entries: Entries, ...keys: readonly string[]): string | undefined =>
  keys.map((key) => entries.get(key)).find((value) => value !== undefined)

const filterIn = (entries: Entries): string | undefined =>
  /\/([^\s/[\]<>]+)/.exec(valueIn(entries, 'F', 'Filter') ?? '')?.[1]

function measuredEnd(content: string, from: number, entries: Entries): number | undefined {
  const length = Number(valueIn(entries, 'L', 'Length') ?? Number.NaN)
  if (Number.isSafeInteger(length) && length > 0) return from + length
  const filter = filterIn(entries)
  if (filter === 'AHx' || filter === 'ASCIIHexDecode') return after(content, '>', from)
  if (filter === 'A85' || filter === 'ASCII85Decode') return after(content, '~>', from)
  if (filter !== undefined) return undefined
  const isStencil = valueIn(entries, 'IM', 'ImageMask') === 'true'
  const components = isStencil ? 1 : componentsIn(valueIn(entries, 'CS', 'ColorSpace') ?? '')
  const [width, height] = [valueIn(entries, 'W', 'Width'), valueIn(entries, 'H', 'Height')].map(Number)
  const bits = isStencil ? 1 : Number(valueIn(entries, 'BPC', 'BitsPerComponent') ?? 8)
  const bytes = Math.ceil(((width ?? 0) * (components ?? Number.NaN) * bits) / 8) * (height ?? 0)
  return Number.isSafeInteger(bytes) && bytes > 0 ? from + bytes : undefined
}

function after(content: string, end: string, from: number): number | undefined {
  const place = content.indexOf(end, from)
  return place < 0 ? undefined : place + end.length
}

const components: Readonly<Record<string, number>> = {
  G: 1,
  DeviceGray: 1,
  RGB: 3,
  DeviceRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
  I: 1,
  Indexed: 1,
}

const componentsIn = (space: string): number | undefined => components[/^\[?\s*\/([^\s/[\]<>]+)/.exec(space)?.[1] ?? '']
