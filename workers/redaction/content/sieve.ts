// Filters one content stream that the engine wrote without the content under the marks. It removes what the engine
// leaves: shadings, clip outlines, soft masks, properties of marked content, and operators without effect.
import type { PDFObject } from 'mupdf'
import { boundsOf, cornersOf } from '../../annotations/drawing/geometry.js'
import type { Change } from '../../change/change.js'
import { codesIn, nameIn, type Operator, operatorsOf } from '../../content/operators.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { intersection } from '../../objects/rectangles.js'
import { booleanOf, entry, nameOf } from '../../objects/values.js'
import type { PictureBlanker } from '../pictures/picture-blanker.js'
import { type Region, transformed } from '../region.js'
import type { RemovedWhole } from '../removed-counts.js'
import { type Graphics, graphicsAfter, withState } from './graphics.js'
import { inverse } from './matrices.js'
import { drawnOutside, isGradient } from './outside-clip.js'
import { type PathMethod, PathSieve } from './path-sieve.js'
import { isMark, retainedProperties } from './properties.js'
import { isMasking, shutMask } from './soft-masks.js'
import type { Category, UsedResources } from './used-resources.js'

export interface Surroundings {
  readonly change: Change
  readonly region: Region
  readonly removed: RemovedWhole
  readonly used: UsedResources
  readonly paths: PathMethod
  readonly pictures: PictureBlanker
  /** Draws a form XObject with the given graphics state; returns false if nothing of it is left. */
  readonly form: (name: string, graphics: Graphics) => boolean
}

/** State of the content from `q` to `Q`. */
interface Level extends Graphics {
  /** True if the content that is drawn may be visible under a mark. */
  readonly reachesIn: boolean
  /** Bounding box of the current clip; undefined if nothing is clipped. */
  readonly clip: PdfRect | undefined
  readonly font: string | undefined
  readonly from: number
  readonly isPainted: boolean
}

interface Piece {
  readonly text: string
  readonly isMark: boolean
  readonly uses?: Use | undefined
}

interface Use {
  readonly category: Category
  readonly name: string | undefined
}

/** Area larger than any page (ISO 32000-2, annex C): a gradient extends until something clips it. */
const everyPlace = cornersOf({ left: -14_400, bottom: -14_400, right: 28_800, top: 28_800 })
const shows = new Set(['Tj', 'TJ', "'", '"'])

export class Sieve {
  readonly #pieces: Piece[] = []
  readonly #levels: Level[] = []
  readonly #paths: PathSieve
  /** Names of the patterns that are in use. */
  readonly #patterns = new Set<string>()
  #now: Level

  constructor(
    private readonly surroundings: Surroundings,
    graphics: Graphics,
    box: PdfRect | undefined,
  ) {
    const { region } = surroundings
    this.#paths = new PathSieve(surroundings)
    this.#now = { ...graphics, reachesIn: !region.isEmpty, clip: undefined, font: undefined, from: 0, isPainted: false }
    if (box !== undefined) this.#clipTo(boundsOf(cornersOf(box).map((corner) => transformed(corner, graphics.ctm))))
  }

  sift(content: string): { readonly content: string; readonly isPainted: boolean } {
    for (const operator of operatorsOf(content)) this.#take(operator)
    while (this.#levels.length > 0) this.#close()
    if (!this.#now.isPainted) this.#onlyMarks(0)
    const pieces = this.#pieces.filter((piece) => !this.#isIdle(piece))
    for (const { uses } of pieces) if (uses) this.surroundings.used.use(uses.category, uses.name)
    return { content: pieces.map(({ text }) => text).join('\n'), isPainted: this.#now.isPainted }
  }

  #take(operator: Operator): void {
    const path = this.#paths.take(operator, this.#now)
    if (path === 'building') return
    if (path !== undefined) {
      if (path.painted !== '') this.#paint(path.painted)
      if (path.clip !== '') this.#put(path.clip)
      if (path.isClip) this.#clipTo(path.bounds)
      return
    }
    this.#now = { ...this.#now, ...graphicsAfter(operator, this.#now) }
    const handler = this.#handlers[operator.name] ?? this.#others
    handler(operator)
  }

  readonly #others = (operator: Operator): void => {
    const { name, operands, text } = operator
    if (isMark(operator)) this.#put(text, undefined, true)
    else if (shows.has(name)) this.#show(operands, text)
    else this.#put(text)
  }

  readonly #handlers: Readonly<Record<string, (operator: Operator) => void>> = {
    q: ({ text }) => {
      this.#levels.push(this.#now)
      this.#now = { ...this.#now, from: this.#pieces.length, isPainted: false }
      this.#put(text)
    },
    Q: () => this.#close(),
    gs: ({ operands, text }) => this.#state(nameIn(operands[0]), text),
    sh: ({ operands, text }) => {
      const { clip } = this.#now
      if (clip !== undefined && this.surroundings.region.contains(clip)) return
      const left = this.#now.reachesIn ? this.#shadingLeft(nameIn(operands[0]), text) : text
      if (left === undefined) return this.surroundings.removed.add('shadings')
      this.#paint(left, { category: 'Shading', name: nameIn(operands[0]) })
    },
    Do: ({ operands, text }) => this.#draw(nameIn(operands[0]), text),
    EI: ({ text }) => this.#inline(text),
    Tf: ({ operands, text }) => {
      const font = nameIn(operands[0])
      this.#now = { ...this.#now, font }
      this.#put(text, { category: 'Font', name: font })
    },
    scn: ({ operands, text }) => this.#color(operands, text),
    SCN: ({ operands, text }) => this.#color(operands, text),
    BDC: (operator) => this.#mark(operator),
    DP: (operator) => this.#mark(operator),
  }

  #put(text: string, uses?: Use, isMark = false): void {
    this.#pieces.push({ text, isMark, uses })
  }

  /** Returns whether a piece only selects patterns that nothing draws with any more. */
  #isIdle({ uses }: Piece): boolean {
    return uses?.category === 'Pattern' && uses.name !== undefined && !this.#patterns.has(uses.name)
  }

  #paint(text: string, uses?: Use): void {
    this.#put(text, uses)
    const { fillPattern, strokePattern } = this.#now
    for (const pattern of [fillPattern, strokePattern]) if (pattern !== undefined) this.#patterns.add(pattern)
    this.#now = { ...this.#now, isPainted: true }
  }

  #close(): void {
    const outer = this.#levels.pop()
    if (outer === undefined) return
    const { from, isPainted } = this.#now
    if (isPainted) this.#put('Q')
    else this.#onlyMarks(from)
    this.#now = { ...outer, isPainted: outer.isPainted || isPainted }
  }

  /** Keeps only marked content of what was collected since `from`: nothing was painted. */
  #onlyMarks(from: number): void {
    for (const piece of this.#pieces.splice(from)) if (piece.isMark) this.#pieces.push(piece)
  }

  #show(operands: readonly string[], text: string): void {
    const { font } = this.#now
    if (font !== undefined) for (const operand of operands) this.surroundings.used.show(font, codesIn(operand))
    this.#paint(text)
  }

  #state(name: string | undefined, text: string): void {
    const { change, region, removed, used } = this.surroundings
    if (name === undefined) return
    const state = used.find('ExtGState', name)
    const category = 'ExtGState'
    this.#now = { ...this.#now, ...withState(this.#now, state) }
    if (isMasking(state, this.#now.ctm, region)) {
      removed.add('masked')
      const shut = used.add(category, shutMask(change, state))
      this.#put(`/${shut} gs`, { category, name: shut })
    } else this.#put(text, { category, name })
  }

  #draw(name: string | undefined, text: string): void {
    const { used, form } = this.surroundings
    if (name === undefined) return
    const drawing = used.find('XObject', name)
    const subtype = nameOf(entry(drawing, 'Subtype'))
    if (subtype === 'Image') this.#picture(drawing, name, text)
    else if (subtype !== 'Form' || form(name, this.#now)) this.#paint(text, { category: 'XObject', name })
  }

  #picture(picture: PDFObject, name: string, text: string): void {
    const { pictures, removed, used } = this.surroundings
    const { ctm, fillPattern } = this.#now
    // The file contains the whole pattern, however little of it a stencil shows.
    if (fillPattern !== undefined && pictures.isUnder(ctm) && booleanOf(entry(picture, 'ImageMask')) === true) {
      removed.add('patterns')
      return
    }
    const blanked = pictures.blanked(picture, ctm)
    if (blanked === undefined) removed.add('pictures')
    else if (blanked === picture) this.#paint(text, { category: 'XObject', name })
    else {
      const made = used.add('XObject', blanked)
      this.#paint(`/${made} Do`, { category: 'XObject', name: made })
    }
  }

  /** Handles an inline image that could not be converted to an object. */
  #inline(text: string): void {
    const { pictures, removed } = this.surroundings
    if (pictures.isUnder(this.#now.ctm)) removed.add('pictures')
    else this.#paint(text)
  }

  #shadingLeft(name: string | undefined, text: string): string | undefined {
    const { region, used } = this.surroundings
    if (name === undefined || !isGradient(used.find('Shading', name))) return undefined
    const back = inverse(this.#now.ctm)
    const everywhere = back && boundsOf(everyPlace.map((corner) => transformed(corner, back)))
    const shapes = back ? region.through(back).parts.map((corners) => ({ corners, tolerance: 0 })) : []
    return everywhere && drawnOutside(text, everywhere, shapes)
  }

  #color(operands: readonly string[], text: string): void {
    this.#put(text, { category: 'Pattern', name: nameIn(operands.at(-1)) })
  }

  #mark(operator: Operator): void {
    const { used } = this.surroundings
    const { text, name } = retainedProperties(operator, entry(used.resources, 'Properties'))
    this.#put(text, { category: 'Properties', name }, true)
  }

  #clipTo(bounds: PdfRect | undefined): void {
    const clip = bounds && (this.#now.clip === undefined ? bounds : intersection(this.#now.clip, bounds))
    const meets = bounds !== undefined && this.surroundings.region.meets(bounds)
    this.#now = { ...this.#now, clip, reachesIn: this.#now.reachesIn && meets }
  }
}
