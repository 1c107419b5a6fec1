// Pictures of noise in every coding and colour space of PDF, for tests that alter a part of a picture: no two parts are
// alike, so a blank result cannot pass.
import { deflateSync } from 'node:zlib'
import sharp, { type JpegOptions, type Sharp } from 'sharp'
import { codedPictures } from './coded-pictures.js'
import type { RawObject, RawObjects } from './raw-pdf.js'

export interface NoisyPicture {
  readonly width: number
  readonly height: number
  readonly image: RawObject
  /** Additional objects, numbered from 20. */
  readonly further?: RawObjects
  /** True if the coding is lossy, so that pixels beside altered ones may differ slightly. */
  readonly isLossy?: boolean
  /** Program that draws the picture differently after recoding: only `mutool` smooths, and only JPEG 2000. */
  readonly notBy?: 'mutool'
}

/** Returns noise, one character per byte. */
export function noise(length: number, seed = 7): string {
  let state = seed
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647
    return String.fromCharCode((state >> 7) & 0xff)
  }).join('')
}

const [width, height] = [72, 60]
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const text = (buffer: Uint8Array): string => Buffer.from(buffer).toString('latin1')

function image(entries: string, stream: string, size: readonly number[] = [width, height]): RawObject {
  return { body: `<</Type/XObject/Subtype/Image/Width ${size[0]}/Height ${size[1]}${entries}>>`, stream }
}

const raw = (
  space: string,
  components: number,
  bits: number,
  entries = '',
  further: RawObjects = {},
): NoisyPicture => ({
  width,
  height,
  image: image(
    `/ColorSpace ${space}/BitsPerComponent ${bits}${entries}`,
    noise(Math.ceil((width * components * bits) / 8) * height),
  ),
  further,
})
const gray = (entries: string, stream: string, further: RawObjects = {}): NoisyPicture => ({
  ...raw('/DeviceGray', 1, 8),
  image: image(`/ColorSpace/DeviceGray/BitsPerComponent 8${entries}`, stream),
  further,
})
const grayNoise = noise(width * height)

const tint = (colors: string, components: number): string =>
  `<</FunctionType 2/Domain[0 1]/N 1/C0[${'0 '.repeat(components)}]/C1[${colors}]>>`
const separation = `[/Separation/Spot/DeviceCMYK ${tint('.2 .8 .1 0', 4)}]`
const deviceN = `[/DeviceN[/One/Two]/DeviceCMYK 20 0 R]`
const deviceNTint: RawObject = {
  body: '<</FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1 0 1]>>',
  stream: '{0 0}',
}
const palette = [...noise(16 * 3, 99)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')
const icc = (components: number, space: string): RawObject => ({
  body: `<</N ${components}/Alternate/${space}>>`,
  stream: 'no profile',
})
const mask = (entries: string, stream: string, size: readonly number[] = [36, 30]): RawObjects => ({
  20: image(entries, stream, size),
})

/** Encodes with codes of nine bits only, clearing the table before codes get longer. */
function lzw(data: string): string {
  const codes = [...data].flatMap((byte, index) =>
    index % 200 === 0 ? [256, byte.charCodeAt(0)] : [byte.charCodeAt(0)],
  )
  const bits = [...codes, 257].map((code) => code.toString(2).padStart(9, '0')).join('')
  return (bits.match(/.{1,8}/g) ?? [])
    .map((one) => String.fromCharCode(Number.parseInt(one.padEnd(8, '0'), 2)))
    .join('')
}

const runLength = (data: string): string =>
  `${(data.match(/[\s\S]{1,128}/g) ?? []).map((run) => String.fromCharCode(run.length - 1) + run).join('')}\x80`

/** Encodes rows with PNG filters, alternating between the first three. */
function png(data: string, stride: number, pixel: number): string {
  const input = bytes(data)
  const output: number[] = []
  for (let y = 0; y * stride < input.length; y++) {
    output.push(y % 3)
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const before = { 0: 0, 1: x < pixel ? 0 : input[at - pixel], 2: y === 0 ? 0 : input[at - stride] }[y % 3] ?? 0
      output.push(((input[at] ?? 0) - before) & 0xff)
    }
  }
  return text(Buffer.from(output))
}

const flate = (data: string): string => text(deflateSync(bytes(data)))
const hex = (data: string): string => `${bytes(data).toString('hex')}>`

interface Photograph {
  readonly space?: 'cmyk' | 'b-w'
  /** True if every channel is either on or off, in squares of four pixels. */
  readonly isStrong?: boolean
}

async function jpeg(
  channels: 1 | 3,
  options: JpegOptions,
  { space, isStrong = false }: Photograph = {},
): Promise<string> {
  const soft = sharp(bytes(noise(width * height * channels)), { raw: { width, height, channels } }).blur(0.8)
  const input = isStrong ? strong() : soft
  return text(
    await (space === undefined ? input : input.toColourspace(space)).jpeg({ quality: 80, ...options }).toBuffer(),
  )
}

function strong(): Sharp {
  const [wide, high] = [width / 4, height / 4]
  const values = bytes(noise(wide * high * 3)).map((value) => (value > 127 ? 255 : 0))
  return sharp(values, { raw: { width: wide, height: high, channels: 3 } }).resize(width, height, { kernel: 'nearest' })
}

const photo = (space: string, stream: string, entries = ''): NoisyPicture => ({
  width,
  height,
  image: image(`/ColorSpace/${space}/BitsPerComponent 8/Filter/DCTDecode${entries}`, stream),
  isLossy: true,
})

/** Adds an Adobe marker: programs of that vendor store inverted inks and identify themselves by the marker. */
const adobe = (stream: string): string =>
  `${stream.slice(0, 2)}\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00${stream.slice(2)}`

const fax = (stream: string, k: number): NoisyPicture => ({
  width: 64,
  height: 48,
  image: image(
    `/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K ${k}/Columns 64/Rows 48>>`,
    stream,
    [64, 48],
  ),
})

/** Encodes a page with one region in fax coding (ITU-T T.88, 7.2 to 7.4). */
function jbig2(data: string): string {
  const [word, size] = [Buffer.alloc(4), Buffer.alloc(8)]
  size.writeUInt32BE(64, 0)
  size.writeUInt32BE(48, 4)
  const segment = (number: number, type: number, body: Buffer): Buffer => {
    word.writeUInt32BE(body.length)
    return Buffer.concat([Buffer.from([0, 0, 0, number, type, 0, 1]), word, body])
  }
  const page = segment(0, 48, Buffer.concat([size, Buffer.alloc(11)]))
  const region = segment(1, 38, Buffer.concat([size, Buffer.alloc(9), Buffer.from([1]), bytes(data)]))
  return text(Buffer.concat([page, region]))
}

const jpx = (stream: string, entries = '', isLossy = false): NoisyPicture => ({
  width: 24,
  height: 20,
  image: image(`/Filter/JPXDecode${entries}`, stream, [24, 20]),
  isLossy,
  notBy: 'mutool',
})

export async function noisyPictures(): Promise<Readonly<Record<string, NoisyPicture>>> {
  const cmyk = await jpeg(3, { chromaSubsampling: '4:4:4' }, { space: 'cmyk' })
  return {
    'gray of 1 bit': raw('/DeviceGray', 1, 1),
    'gray of 2 bits': raw('/DeviceGray', 1, 2),
    'gray of 4 bits': raw('/DeviceGray', 1, 4),
    'gray of 8 bits': raw('/DeviceGray', 1, 8),
    'gray of 16 bits': raw('/DeviceGray', 1, 16),
    'RGB of 4 bits': raw('/DeviceRGB', 3, 4),
    'RGB of 8 bits': raw('/DeviceRGB', 3, 8),
    'RGB of 16 bits': raw('/DeviceRGB', 3, 16),
    CMYK: raw('/DeviceCMYK', 4, 8),
    'CMYK of 2 bits': raw('/DeviceCMYK', 4, 2),
    'a separation': raw(separation, 1, 8),
    'several inks': raw(deviceN, 2, 8, '', { 20: deviceNTint }),
    Lab: raw('[/Lab<</WhitePoint[.96 1 .82]/Range[-90 90 -80 80]>>]', 3, 8),
    'calibrated gray': raw('[/CalGray<</WhitePoint[.96 1 .82]>>]', 1, 8),
    'calibrated RGB': raw('[/CalRGB<</WhitePoint[.96 1 .82]>>]', 3, 8),
    'a profile of three components': raw('[/ICCBased 20 0 R]', 3, 8, '', { 20: icc(3, 'DeviceRGB') }),
    'a profile of four components': raw('[/ICCBased 20 0 R]', 4, 8, '', { 20: icc(4, 'DeviceCMYK') }),
    'a palette of 4 bits': raw(`[/Indexed/DeviceRGB 15<${palette}>]`, 1, 4),
    'a palette of 8 bits': raw(`[/Indexed/DeviceRGB 255 20 0 R]`, 1, 8, '', {
      20: { body: '<<>>', stream: noise(768, 5) },
    }),
    'gray the other way round': raw('/DeviceGray', 1, 8, '/Decode[1 0]'),
    'RGB in a part of its range': raw('/DeviceRGB', 3, 8, '/Decode[.2 .9 1 0 0 1]'),
    'a key of colours': raw('/DeviceRGB', 3, 8, '/Mask[0 255 100 200 0 90]'),
    'a stencil': { width, height, image: image('/ImageMask true/BitsPerComponent 1', noise((width / 8) * height)) },
    'a stencil the other way round': {
      width,
      height,
      image: image('/ImageMask true/BitsPerComponent 1/Decode[1 0]', noise((width / 8) * height)),
    },
    'a soft mask': gray(
      '/SMask 20 0 R',
      grayNoise,
      mask('/ColorSpace/DeviceGray/BitsPerComponent 8', noise(36 * 30, 3)),
    ),
    'a soft mask of the same size': gray(
      '/SMask 20 0 R',
      grayNoise,
      mask('/ColorSpace/DeviceGray/BitsPerComponent 8', noise(width * height, 3), [width, height]),
    ),
    'a mask': gray('/Mask 20 0 R', grayNoise, mask('/ImageMask true/BitsPerComponent 1', noise(5 * 30, 3))),
    'a mask the other way round': gray(
      '/Mask 20 0 R',
      grayNoise,
      mask('/ImageMask true/BitsPerComponent 1/Decode[1 0]', noise(5 * 30, 3)),
    ),
    Flate: gray('/Filter/FlateDecode', flate(grayNoise)),
    'Flate under PNG predictors': gray(
      `/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns ${width}>>`,
      flate(png(grayNoise, width, 1)),
    ),
    'LZW under hexadecimal digits': gray('/Filter[/ASCIIHexDecode/LZWDecode]', hex(lzw(grayNoise))),
    'LZW under PNG predictors': gray(
      `/Filter/LZWDecode/DecodeParms<</Predictor 12/Columns ${width}>>`,
      lzw(png(grayNoise, width, 1)),
    ),
    'run lengths': gray('/Filter/RunLengthDecode', runLength(grayNoise)),
    'a gray JPEG': photo('DeviceGray', await jpeg(1, {}, { space: 'b-w' })),
    'a JPEG': photo('DeviceRGB', await jpeg(3, { chromaSubsampling: '4:4:4' })),
    'a JPEG of halved colours': photo('DeviceRGB', await jpeg(3, {})),
    'a JPEG of strong halved colours': {
      ...photo('DeviceRGB', await jpeg(3, { quality: 90 }, { isStrong: true })),
      notBy: 'mutool',
    },
    'a progressive JPEG': photo('DeviceRGB', await jpeg(3, { progressive: true })),
    'a JPEG under hexadecimal digits': {
      ...photo('DeviceRGB', ''),
      image: image(
        '/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter[/ASCIIHexDecode/DCTDecode]',
        hex(await jpeg(3, { quality: 40 })),
      ),
    },
    'a JPEG with a soft mask': {
      ...photo('DeviceRGB', await jpeg(3, {}), '/SMask 20 0 R'),
      further: mask('/ColorSpace/DeviceGray/BitsPerComponent 8', noise(36 * 30, 3)),
    },
    'a CMYK JPEG': photo('DeviceCMYK', cmyk),
    'a CMYK JPEG the other way round': photo('DeviceCMYK', adobe(cmyk), '/Decode[1 0 1 0 1 0 1 0]'),
    'JPEG 2000': jpx(codedPictures.jpxRgb, '/ColorSpace/DeviceRGB/BitsPerComponent 8'),
    'JPEG 2000 that knows its colours itself': jpx(codedPictures.jpxRgb),
    'gray JPEG 2000': jpx(codedPictures.jpxGray, '/ColorSpace/DeviceGray'),
    'lossy JPEG 2000': jpx(codedPictures.jpxLossy, '/ColorSpace/DeviceRGB'),
    'JPEG 2000 as a soft mask': {
      ...gray('/SMask 20 0 R', noise(24 * 20), {
        20: image('/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/JPXDecode', codedPictures.jpxGray, [24, 20]),
      }),
      ...{ width: 24, height: 20, notBy: 'mutool' },
      image: image('/ColorSpace/DeviceGray/BitsPerComponent 8/SMask 20 0 R', noise(24 * 20), [24, 20]),
    },
    'fax, group 3': fax(codedPictures.g3, 0),
    'fax, group 3, two dimensions': fax(codedPictures.g32, 1),
    'fax, group 4': fax(codedPictures.g4, -1),
    JBIG2: {
      width: 64,
      height: 48,
      image: image('/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode', jbig2(codedPictures.g4), [64, 48]),
    },
  }
}
