// Stored contents of a JPEG: quantised coefficients of 8 by 8 blocks, per component.

export const blockSize = 64
export const blockSide = 8

export interface JpegComponent {
  readonly id: number
  /** Horizontal and vertical sampling factors. */
  readonly horizontal: number
  readonly vertical: number
  /** Number of blocks in each direction that show part of the picture. */
  readonly blocksWide: number
  readonly blocksHigh: number
  /** Number of stored blocks in each direction, rounded up to whole minimum coded units. */
  readonly blocksPerRow: number
  readonly blockRows: number
  /** Coefficients, 64 per block, row by row, in zigzag order. */
  readonly coefficients: Int16Array
  /** Quantisation table in zigzag order. */
  quantisation: Uint16Array
}

export interface JpegPicture {
  readonly width: number
  readonly height: number
  readonly unitsWide: number
  readonly unitsHigh: number
  readonly horizontalMax: number
  readonly verticalMax: number
  readonly components: readonly JpegComponent[]
  /** True if a JFIF header is present. Only header data that determines the colour coding is retained. */
  readonly isJfif: boolean
  /** Colour transform of the Adobe marker; undefined if there is no such marker. */
  readonly adobeTransform: number | undefined
}

/** Position in a block, row by row, of each coefficient in zigzag order (ITU-T T.81, figure 5). */
export const zigzag: readonly number[] = zigzagOrder()

function zigzagOrder(): readonly number[] {
  const places = Array.from({ length: blockSize }, (_, place) => place)
  const diagonal = (place: number): number => (place >> 3) + (place & 7)
  const along = (place: number): number => (diagonal(place) % 2 === 0 ? place & 7 : place >> 3)
  return places.toSorted((one, other) => diagonal(one) - diagonal(other) || along(one) - along(other))
}
