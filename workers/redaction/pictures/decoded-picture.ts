// Decoded samples of a picture: as stored under its filters, or, if single samples are not accessible (JPEG 2000, or a
// size that differs from the dictionary), as the engine renders them.
import type { PDFDocument, PDFObject } from 'mupdf'
import { decodedBytes, withPixels } from '../../engine/engine-memory.js'
import { mupdf } from '../../engine/library.js'
import { entry, isMissing, nameOf } from '../../objects/values.js'
import { colorsOf } from './picture-colors.js'
import type { PictureRole, PictureSource } from './picture-source.js'
import { bytesOf, type SampleLayout, strideOf } from './samples.js'

export interface DecodedPicture {
  readonly samples: Buffer
  readonly layout: SampleLayout
  /** Sample codes of a blank pixel. */
  readonly blank: readonly number[]
  /** Dictionary entries that differ from the source; undefined values remove an entry. */
  readonly altered: Readonly<Record<string, PDFObject | number | undefined>>
  /** True if the samples are photographic, so that rows are written with predictors. */
  readonly isContinuous: boolean
}

/** Returns the samples; undefined if the filters yield another sample size than the dictionary declares. */
export function storedSamples({ object, layout, blank, filters }: PictureSource): DecodedPicture | undefined {
  // The engine leaves this filter to the code that displays the picture.
  if (filters.includes('JPXDecode')) return undefined
  const bytes = decodedBytes(object)
  const wanted = bytesOf(layout)
  const isJpeg = filters.at(-1) === 'DCTDecode'
  if (bytes.length === 0 || (isJpeg && bytes.length !== wanted)) return undefined
  // Readers show missing samples as zeros.
  const samples = bytes.length < wanted ? Buffer.concat([bytes, Buffer.alloc(wanted - bytes.length)]) : bytes
  const predictor = entry(object, 'DecodeParms', 'Predictor')
  const isContinuous = isJpeg || !isMissing(predictor)
  return { samples: samples.subarray(0, wanted), layout, blank, altered: {}, isContinuous }
}

/** Returns the rendered samples; undefined if the engine renders a format that pictures cannot be written in. */
export function shownSamples(pdf: PDFDocument, object: PDFObject, role: PictureRole): DecodedPicture | undefined {
  const image = pdf.loadImage(object)
  const pixmap = image.toPixmap()
  const space = pixmap.getColorSpace()
  try {
    const colorSpace = spaceFor(pdf, object, space, pixmap.getNumberOfComponents() - pixmap.getAlpha())
    const colors = colorSpace === undefined ? undefined : colorsOf(colorSpace, 8)
    if (colors === undefined || colorSpace === undefined) return undefined
    const read = withPixels(pixmap, ({ samples, width, height, stride, components }) => {
      const layout = { width, height, components: colors.components, bits: 8 }
      const rows = Buffer.alloc(bytesOf(layout))
      for (let y = 0; y < height; y++) {
        const row = samples.subarray(y * stride, y * stride + width * components)
        if (components === colors.components) rows.set(row, y * strideOf(layout))
        else
          for (let x = 0; x < width; x++)
            rows.set(
              row.subarray(x * components, x * components + colors.components),
              y * strideOf(layout) + x * colors.components,
            )
      }
      return { layout, samples: rows }
    })
    const blank =
      role === 'alpha' ? [0] : colors.blank.map((value, index) => codeOf(value, colors.ranges.slice(2 * index)))
    // The samples are decoded already; colour keys refer to the undecoded samples.
    const altered = {
      ColorSpace: colorSpace,
      Decode: undefined,
      SMaskInData: undefined,
      BitsPerComponent: 8,
    }
    return { ...read, blank, altered, isContinuous: true }
  } finally {
    space?.destroy()
    pixmap.destroy()
    image.destroy()
  }
}

const codeOf = (value: number, [low = 0, high = 1]: readonly number[]): number =>
  Math.max(0, Math.min(255, Math.round(((value - low) / (high - low)) * 255)))

type ColorSpace = InstanceType<typeof mupdf.ColorSpace>

/** Returns the picture's own colour space if it fits, otherwise the one that the engine found in the data. */
function spaceFor(
  pdf: PDFDocument,
  object: PDFObject,
  space: ColorSpace | null,
  components: number,
): PDFObject | undefined {
  const own = entry(object, 'ColorSpace')
  const isIndexed = nameOf(entry(own, 0)) === 'Indexed'
  if (!isIndexed && colorsOf(own, 8)?.components === components) return own
  if (space === null) return components <= 1 ? pdf.newName('DeviceGray') : undefined
  const pixel = new mupdf.Pixmap(space, [0, 0, 1, 1], false)
  const image = new mupdf.Image(pixel)
  try {
    const made = pdf.addImage(image)
    const found = entry(made, 'ColorSpace')
    pdf.deleteObject(made)
    return found
  } finally {
    image.destroy()
    pixel.destroy()
  }
}
