// Judges a series of measurements: whether a value grows over time, apart from its ups and downs.
//
// Memory of a garbage-collected process rises and falls; what leaks is the floor. So the measured time is divided into
// bins, each bin gives its lower quartile (its lowest value may be a moment at which memory was given back), and the slope
// is the median of the slopes between all pairs of bins (Theil-Sen), which a few odd bins do not move. A series grows if its
// slope times the measured time exceeds the tolerance.
//
// A bin is longer than memory takes to rise and fall once: the documents that threads keep open are replaced in one to two
// minutes.

export interface Point {
  readonly minute: number
  readonly value: number
}

export interface Tolerance {
  /** Growth over the whole measured time that is accepted, in units of the value. */
  readonly absolute: number
  /** The same as a share of the median; the larger of the two counts. */
  readonly relative: number
}

export interface Trend {
  readonly slopePerMinute: number
  /** Growth over the measured time by the slope. */
  readonly growth: number
  readonly allowed: number
  readonly grows: boolean
}

const binMinutes = 2.5
const binsMax = 20

/** Returns the trend of the points behind the warm-up, which are the last part of the series. */
export function trendOf(points: readonly Point[], { absolute, relative }: Tolerance): Trend {
  const floors = floorsOf(points)
  const slopes = floors.flatMap((from, index) =>
    floors.slice(index + 1).map((to) => (to.value - from.value) / (to.minute - from.minute)),
  )
  const slopePerMinute = medianOf(slopes)
  const [first, last] = [floors[0]?.minute ?? 0, floors.at(-1)?.minute ?? 0]
  const growth = slopePerMinute * (last - first)
  const allowed = Math.max(absolute, relative * medianOf(floors.map(({ value }) => value)))
  return { slopePerMinute, growth, allowed, grows: growth > allowed }
}

/** The point at the lower quartile of each bin. */
function floorsOf(points: readonly Point[]): readonly Point[] {
  const minutes = (points.at(-1)?.minute ?? 0) - (points[0]?.minute ?? 0)
  const count = Math.min(binsMax, Math.max(2, Math.round(minutes / binMinutes)))
  const size = Math.ceil(points.length / count)
  return Array.from({ length: count }, (_, bin) => points.slice(bin * size, (bin + 1) * size))
    .filter((bin) => bin.length > 0)
    .flatMap((bin) => bin.toSorted((one, other) => one.value - other.value).at(Math.floor(bin.length / 4)) ?? [])
}

export function medianOf(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}
