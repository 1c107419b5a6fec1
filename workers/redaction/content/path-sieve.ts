// Collects the paths of a content stream from construction to painting, and removes what lies under marks.

import type { Operator } from '../../content/operators.js'
import { entry } from '../../objects/values.js'
import type { Region } from '../region.js'
import type { RemovedWhole } from '../removed-counts.js'
import { outlineWithout } from './clip-outline.js'
import { type Contour, PathBuilder } from './contours.js'
import { dividePath, type EdgeBudget, type Painting } from './divide-path.js'
import type { Graphics } from './graphics.js'
import { isGradient } from './outside-clip.js'
import type { SiftedPatterns } from './sifted-patterns.js'
import type { UsedResources } from './used-resources.js'

interface Surroundings {
  readonly region: Region
  readonly removed: RemovedWhole
  readonly effort: EdgeBudget
  readonly used: UsedResources
}

/** Finished path after redaction. */
export interface SiftedPath {
  /** Painting operators that replace the path; empty if it draws nothing any more. */
  readonly painted: string
  readonly clip: string
  readonly isClip: boolean
  /** True if some of it lay under a mark. */
  readonly isCut: boolean
  /** The path as it was. */
  readonly contours: readonly Contour[]
}

/** Effects of the path-painting operators (ISO 32000-2, table 59). */
const paintings: Readonly<Record<string, Omit<Painting, 'contours'> & { readonly closes?: true }>> = {
  n: { fill: undefined, strokes: false },
  S: { fill: undefined, strokes: true },
  s: { fill: undefined, strokes: true, closes: true },
  f: { fill: 'f', strokes: false },
  F: { fill: 'f', strokes: false },
  'f*': { fill: 'f*', strokes: false },
  B: { fill: 'f', strokes: true },
  'B*': { fill: 'f*', strokes: true },
  b: { fill: 'f', strokes: true, closes: true },
  'b*': { fill: 'f*', strokes: true, closes: true },
}

export class PathSieve {
  #path = new PathBuilder()
  readonly #texts: string[] = []
  #clips: string | undefined

  constructor(
    private readonly surroundings: Surroundings,
    private readonly sifted: SiftedPatterns,
  ) {}

  /** Returns undefined if the operator does not concern paths. */
  take({ name, operands, text }: Operator, graphics: Graphics): SiftedPath | 'building' | undefined {
    if (this.#path.take(name, operands.map(Number))) this.#texts.push(text)
    else if (name === 'W' || name === 'W*') this.#clips = name
    else {
      const painting = paintings[name]
      return painting && this.#endPath(name, painting, graphics)
    }
    return 'building'
  }

  #endPath(
    name: string,
    { closes, ...painting }: NonNullable<(typeof paintings)[string]>,
    graphics: Graphics,
  ): SiftedPath {
    const asItWas = this.#texts.join('\n')
    if (closes) this.#path.close()
    const { contours } = this.#path
    const clips = this.#clips
    this.#path = new PathBuilder()
    this.#texts.length = 0
    this.#clips = undefined
    const left = name === 'n' ? '' : this.#painted({ ...painting, contours }, graphics)
    const painted = left ?? `${asItWas}\n${name}`
    const isDivided = name !== 'n' && left !== undefined
    if (clips === undefined) return { painted, clip: '', isClip: false, isCut: isDivided, contours }
    const outline = outlineWithout(contours, this.surroundings.region, graphics.ctm)
    const clip = `${outline ?? asItWas}\n${clips}\nn`
    // The clip path of an operator takes effect only after its own painting.
    return { painted, clip, isClip: true, isCut: isDivided || outline !== undefined, contours }
  }

  #painted(painting: Painting, graphics: Graphics): string | undefined {
    const { region, removed, effort } = this.surroundings
    const left = dividePath(painting, this.#withColors(graphics), region, effort)
    if (left?.whole !== undefined) removed.add(left.whole)
    return left?.text
  }

  /** Treats a gradient as a plain colour, and a pattern without what is under marks: they reveal no more about it. */
  #withColors(graphics: Graphics): Graphics {
    const patternOf = (name: string | undefined): string | undefined =>
      name !== undefined &&
      (this.sifted.has(name) || isGradient(entry(this.surroundings.used.find('Pattern', name), 'Shading')))
        ? undefined
        : name
    const { fillPattern, strokePattern } = graphics
    return { ...graphics, fillPattern: patternOf(fillPattern), strokePattern: patternOf(strokePattern) }
  }
}
