// Blanks an area of a JPEG without decoding the rest: coefficients of blocks beside the area are unchanged. Blocks at
// its edge are recomputed with finer quantisation, so that their pixels outside the area look as before.
import type { PixelArea } from '../pixel-area.js'
import { fromSamples, toSamples } from './cosine-transform.js'
import { blockSide, blockSize, type JpegComponent, type JpegPicture } from './jpeg-picture.js'

/** Largest quantisation step whose rounding is invisible. */
const stepMax = 2
/** Largest coefficient that the entropy coding of 8-bit samples supports. */
const coefficientMax = 1023
const middle = 128

/** Blanks an area. `levels`: blank sample value of each component. */
export function blankJpeg(picture: JpegPicture, area: PixelArea, levels: readonly number[]): void {
  for (const [index, component] of picture.components.entries()) {
    const wide = picture.horizontalMax / component.horizontal
    const high = picture.verticalMax / component.vertical
    blankComponent(component, area.coarser(wide, high), levels[index] ?? middle)
  }
}

interface EdgeBlock {
  readonly at: number
  readonly covered: Uint8Array
}

function blankComponent(component: JpegComponent, area: PixelArea, level: number): void {
  const { whole, edges } = blocksUnder(component, area)
  if (edges.length > 0) refine(component)
  const { coefficients, quantisation } = component
  const direct = clamped(Math.round(((level - middle) * blockSide) / (quantisation[0] ?? 1)))
  for (const at of whole) {
    coefficients.fill(0, at, at + blockSize)
    coefficients[at] = direct
  }
  for (const { at, covered } of edges) {
    const samples = toSamples(coefficients, at, quantisation)
    for (let place = 0; place < blockSize; place++) if (covered[place] === 1) samples[place] = level - middle
    fromSamples(samples, quantisation).forEach((value, place) => {
      coefficients[at + place] = clamped(value)
    })
  }
}

const clamped = (value: number): number => Math.max(-coefficientMax, Math.min(coefficientMax, value))

/** Blocks beyond the picture repeat its edge, so they are always blanked. */
function blocksUnder(component: JpegComponent, area: PixelArea) {
  const { blocksPerRow, blockRows, blocksWide, blocksHigh } = component
  const whole: number[] = []
  const edges: EdgeBlock[] = []
  for (let row = 0; row < blockRows; row++) {
    const covered = coveredIn(component, area, row)
    for (let column = 0; column < blocksPerRow; column++) {
      const at = (row * blocksPerRow + column) * blockSize
      if (row >= blocksHigh || column >= blocksWide) whole.push(at)
      else if (covered !== undefined) {
        const block = covered.subarray(column * blockSize, (column + 1) * blockSize)
        if (!block.includes(1)) continue
        if (block.includes(0)) edges.push({ at, covered: block })
        else whole.push(at)
      }
    }
  }
  return { whole, edges }
}

/**
 * Returns one byte per sample of a row of blocks, block by block; undefined if nothing in the row is under the area.
 */
function coveredIn({ blocksPerRow }: JpegComponent, area: PixelArea, row: number): Uint8Array | undefined {
  const top = row * blockSide
  if (top >= area.end || top + blockSide <= area.top) return undefined
  const covered = new Uint8Array(blocksPerRow * blockSize)
  for (let y = 0; y < blockSide; y++) {
    // Blocks below the last row and right of the last column repeat the edge pixels.
    const runs = area.runsOf(Math.min(top + y, area.height - 1))
    for (const { from, to } of runs) {
      const end = to >= area.width ? blocksPerRow * blockSide : to
      for (let x = from; x < end; x++) covered[(x >> 3) * blockSize + y * blockSide + (x & 7)] = 1
    }
  }
  return covered
}

/** Replaces quantisation steps by divisors of them, so that every coefficient stays exact. */
function refine(component: JpegComponent): void {
  const { coefficients, quantisation } = component
  const largest = new Uint16Array(blockSize)
  for (let at = 0; at < coefficients.length; at++) {
    const value = Math.abs(coefficients[at] ?? 0)
    if (value > (largest[at & 63] ?? 0)) largest[at & 63] = value
  }
  const factors = quantisation.map((step, place) => factorOf(step, largest[place] ?? 0))
  for (let at = 0; at < coefficients.length; at++) coefficients[at] = (coefficients[at] ?? 0) * (factors[at & 63] ?? 1)
  component.quantisation = quantisation.map((step, place) => step / (factors[place] ?? 1))
}

function factorOf(step: number, largest: number): number {
  for (const finer of finerSteps(step)) if (largest * (step / finer) <= coefficientMax) return step / finer
  return 1
}

/** Yields divisors of a step: the largest one that is fine enough first, then larger ones. */
function finerSteps(step: number): readonly number[] {
  const divisors = Array.from({ length: step }, (_, index) => index + 1).filter((finer) => step % finer === 0)
  const small = divisors.findLast((finer) => finer <= stepMax) ?? 1
  return divisors.filter((finer) => finer >= small)
}
