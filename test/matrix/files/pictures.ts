// Pictures of generated files: deterministic scanner-like noise, so that no searched pattern occurs by chance.
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { RawObject } from '../../support/pdf/raw-pdf.js'
import type { Spec } from './dimensions.js'

/** Position, in points from the page corner, of a picture that is not a scan. */
export const pictureBox = { x: 150, y: 60, width: 130, height: 100 } as const

export interface Picture {
  /** Picture object and the objects it refers to, numbered after it. */
  readonly objects: readonly RawObject[]
  readonly isScan: boolean
}

const scanSize = [450, 600] as const
const smallSize = [65, 50] as const

export async function pictureOf(kind: Spec['picture'], number: number): Promise<Picture | undefined> {
  if (kind === 'no-picture' || kind === 'inline') return undefined
  const make = makers[kind]
  return { objects: await make(number), isScan: kind.startsWith('scan-') }
}

const makers = {
  'scan-1bit': () => [image(scanSize, '/ColorSpace/DeviceGray/BitsPerComponent 1', bits(scanSize))],
  'scan-grey': () => [image(scanSize, '/ColorSpace/DeviceGray/BitsPerComponent 8', paper(scanSize, 1))],
  'scan-jpeg': jpegScan,
  indexed: () => [
    image(
      smallSize,
      '/ColorSpace[/Indexed/DeviceRGB 3<FF000000FF000000FFFFFF00>]/BitsPerComponent 8',
      steps(smallSize, 4),
    ),
  ],
  cmyk: () => [image(smallSize, '/ColorSpace/DeviceCMYK/BitsPerComponent 8', paper(smallSize, 4))],
  smask: (number: number) => [
    image(smallSize, `/ColorSpace/DeviceRGB/BitsPerComponent 8/SMask ${number + 1} 0 R`, paper(smallSize, 3)),
    image(smallSize, '/ColorSpace/DeviceGray/BitsPerComponent 8', steps(smallSize, 256)),
  ],
} as const

/** Returns an inline image. */
export function inlinePicture(): string {
  const hex = Buffer.from(steps(smallSize, 256)).toString('hex')
  const [width, height] = smallSize
  return `BI/W ${width}/H ${height}/CS/G/BPC 8/F/AHx ID ${hex}> EI`
}

async function jpegScan(): Promise<readonly RawObject[]> {
  const [width, height] = scanSize
  const bytes = await sharp(paper(scanSize, 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
  return [
    {
      body: `${header(scanSize)}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode>>`,
      stream: bytes.toString('latin1'),
    },
  ]
}

type Size = readonly [number, number]

const header = ([width, height]: Size): string => `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}`

function image(size: Size, entries: string, samples: Uint8Array): RawObject {
  return { body: `${header(size)}${entries}/Filter/FlateDecode>>`, stream: deflateSync(samples).toString('latin1') }
}

/** Light noise that gets darker towards the bottom. */
function paper([width, height]: Size, channels: number): Uint8Array {
  const next = noise()
  return Uint8Array.from({ length: width * height * channels }, (_, index) => {
    const row = Math.floor(index / (width * channels))
    return 250 - Math.floor((row / height) * 90) - (next() % 30)
  })
}

/** Lines that resemble writing, and specks. */
function bits([width, height]: Size): Uint8Array {
  const next = noise()
  const rowBytes = Math.ceil(width / 8)
  return Uint8Array.from({ length: rowBytes * height }, (_, index) => {
    const isLine = Math.floor(index / rowBytes) % 24 < 3
    return isLine ? next() & next() & 0xff : 0xff ^ (next() % 16 === 0 ? 1 << (next() & 7) : 0)
  })
}

const steps = ([width, height]: Size, levels: number): Uint8Array =>
  Uint8Array.from({ length: width * height }, (_, index) => (Math.floor(index / width) + index) % levels)

/** Random number generator of Numerical Recipes: the same sequence on every machine. */
function noise(): () => number {
  let state = 12345
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 16
  }
}
