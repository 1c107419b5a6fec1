// Converts between two coordinate spaces. User space is the file's: y up, any origin. Page space is the wire's: y down,
// origin at the top left of the crop box. Neither depends on rotation or /UserUnit.
import type { PageBox } from '../contract/page-box.js'
import type { PagePoint } from '../contract/page-point.js'
import type { PdfRect } from '../contract/pdf-rect.js'

/** Reciprocal of the rounding step, so that 792 - 719.9 is 72.1 and not 72.10000000000002. */
const grain = 1e6
/** Magnitude above which double precision has no such digits. */
const grainMax = 1e9

export class PageSpace {
  constructor(readonly cropBox: PdfRect) {}

  toPagePoint(userX: number, userY: number): PagePoint {
    return { x: tidy(userX - this.cropBox.left), y: tidy(this.cropBox.top - userY) }
  }

  toUserPoint({ x, y }: PagePoint): { readonly x: number; readonly y: number } {
    return { x: tidy(this.cropBox.left + x), y: tidy(this.cropBox.top - y) }
  }

  toPageBox({ left, bottom, right, top }: PdfRect): PageBox {
    return { ...this.toPagePoint(left, top), width: tidy(right - left), height: tidy(top - bottom) }
  }

  toUserRect({ x, y, width, height }: PageBox): PdfRect {
    const { x: left, y: top } = this.toUserPoint({ x, y })
    return { left, bottom: tidy(top - height), right: tidy(left + width), top }
  }

  /** Converts pairs of user space numbers; an unpaired last number is dropped. */
  toPagePoints(numbers: readonly number[]): PagePoint[] {
    const points: PagePoint[] = []
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      points.push(this.toPagePoint(numbers[index] ?? 0, numbers[index + 1] ?? 0))
    }
    return points
  }
}

export function tidy(value: number): number {
  const rounded = Math.abs(value) < grainMax ? Math.round(value * grain) / grain : value
  return rounded + 0 // never -0
}
