// A JPEG as what it stores: quantised coefficients of blocks of 8 by 8 samples, per component.

export const blockSize = 64
export const blockSide = 8

export interface JpegComponent {
  readonly id: number
  /** Sampling factors. */
  readonly horizontal: number
  readonly vertical: number
  /** Blocks that show something of the picture. */
  readonly blocksWide: number
  readonly blocksHigh: number
  /** Blocks that are stored: whole minimum coded units. */
  readonly blocksPerRow: number
  readonly blockRows: number
  /** 64 of every block, row by row, in zigzag order. */
  readonly coefficients: Int16Array
  /** In zigzag order. */
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
  /** What says how colours are coded; nothing else of the header is needed. */
  readonly isJfif: boolean
  /** The transform that an Adobe marker gives; undefined = there is no marker. */
  readonly adobeTransform: number | undefined
}

/** Place in a block, row by row, of each coefficient in zigzag order (ITU-T T.81, figure 5). */
export const zigzag: readonly number[] = zigzagOrder()

function zigzagOrder(): readonly number[] {
  const places = Array.from({ length: blockSize }, (_, place) => place)
  const diagonal = (place: number): number => (place >> 3) + (place & 7)
  const along = (place: number): number => (diagonal(place) % 2 === 0 ? place & 7 : place >> 3)
  return places.toSorted((one, other) => diagonal(one) - diagonal(other) || along(one) - along(other))
}
