// Rewrites one content stream without the content under the marks: glyphs, paths, pictures, shadings, clip outlines, soft
// masks, properties of marked content, and operators without effect.
import type { Matrix, PDFObject } from 'mupdf'
import { boundsOf, cornersOf } from '../../annotations/drawing/geometry.js'
import type { Change } from '../../change/change.js'
import { nameIn, type Operator } from '../../content/operators.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { intersection } from '../../objects/rectangles.js'
import { booleanOf, entry, nameOf } from '../../objects/values.js'
import type { PictureBlanker } from '../pictures/picture-blanker.js'
import { placedBounds, type Region, transformed } from '../region.js'
import type { RemovedWhole } from '../removed-counts.js'
import type { MeasuredCode } from '../text/font-measures.js'
import { type GlyphJudge, shows, TextSieve } from '../text/text-sieve.js'
import { isDrawn, textStateAfter } from '../text/text-state.js'
import { boundsIn } from './clip-outline.js'
import type { EdgeBudget } from './divide-path.js'
import { type Graphics, graphicsAfter, withState } from './graphics.js'
import { objectOfInline } from './inline-images.js'
import { markedPiece } from './marked-content.js'
import { inverse } from './matrices.js'
import { drawnOutside, isGradient } from './outside-clip.js'
import { PathSieve } from './path-sieve.js'
import { Pieces, type ResourceUse } from './pieces.js'
import { isMark, plainOperators } from './plain-operators.js'
import { type SiftedPattern, SiftedPatterns } from './sifted-patterns.js'
import { groupOf, isMasking, shutMask, withGroup } from './soft-masks.js'
import type { TextAlternatives } from './text-alternatives.js'
import type { UsedResources } from './used-resources.js'

export interface Surroundings {
  readonly change: Change
  readonly region: Region
  readonly removed: RemovedWhole
  readonly used: UsedResources
  readonly effort: EdgeBudget
  readonly pictures: PictureBlanker
  readonly glyphs: GlyphJudge
  readonly alternatives: TextAlternatives
  /** Returns what is left of a form XObject that is drawn with the given graphics state; undefined if nothing is. */
  readonly form: (form: PDFObject, graphics: Graphics) => PDFObject | undefined
  /** Returns what is left of the group of a soft mask that is set under this matrix, and may reach under a mark. */
  readonly mask: (group: PDFObject, ctm: Matrix, isMasking: boolean) => PDFObject
  /** Returns what is left of a tiling pattern that content with this matrix uses: see `SiftedPatterns`. */
  readonly pattern: (pattern: PDFObject, base: Matrix) => SiftedPattern
}

/** State of the content from `q` to `Q`. */
interface Level extends Graphics {
  /** True if the content that is drawn may be visible under a mark. */
  readonly reachesIn: boolean
  /** Bounding box of the current clip; undefined if nothing is clipped. */
  readonly clip: PdfRect | undefined
  readonly from: number
  readonly isPainted: boolean
  /** True if the level began within a text object, whose place its content moves for good. */
  readonly isInText: boolean
}

/** Area larger than any page (ISO 32000-2, annex C): a gradient extends until something clips it. */
const everywhere = { left: -14_400, bottom: -14_400, right: 28_800, top: 28_800 }
const everyPlace = cornersOf(everywhere)
/** Place of a picture before its matrix. */
const unit = { left: 0, bottom: 0, right: 1, top: 1 }
/** Clip path that hides everything. */
const shut = '0 0 0 0 re W n'
/** Operators after which numbers in text mean other distances. */
const rescaling = new Set(['q', 'Q', 'Tf', 'Tz', 'gs'])

export class Sieve {
  readonly #pieces = new Pieces()
  readonly #levels: Level[] = []
  readonly #paths: PathSieve
  readonly #sifted: SiftedPatterns
  readonly #text: TextSieve
  #isInText = false
  #now: Level

  constructor(
    private readonly surroundings: Surroundings,
    graphics: Graphics,
    box: PdfRect | undefined,
  ) {
    const reachesIn = !surroundings.region.isEmpty
    this.#sifted = new SiftedPatterns(surroundings.used, (pattern) => surroundings.pattern(pattern, graphics.ctm))
    this.#paths = new PathSieve(surroundings, this.#sifted)
    this.#text = new TextSieve({ measures: surroundings.glyphs.measures, isTaken: this.#isTaken })
    this.#now = { ...graphics, reachesIn, clip: undefined, from: 0, isPainted: false, isInText: false }
    if (box !== undefined) this.#clipTo(boundsOf(cornersOf(box).map((corner) => transformed(corner, graphics.ctm))))
  }

  /** `content`: writes what is left, once the whole page was read. */
  sift(content: string): { readonly content: () => string; readonly isPainted: boolean } {
    for (const operator of plainOperators(content)) this.#take(operator)
    while (this.#levels.length > 0) this.#close()
    if (!this.#now.isPainted) this.#pieces.keepOnlyMarks(0)
    return { content: this.#pieces.end(this.surroundings.used), isPainted: this.#now.isPainted }
  }

  #take(operator: Operator): void {
    const path = this.#paths.take(operator, this.#now)
    if (path === 'building') return
    if (path !== undefined) {
      const { isCut, contours } = path
      if (isCut) this.surroundings.alternatives.take()
      if (path.painted !== '') this.#paint(path.painted, () => boundsIn(contours, this.#now.ctm))
      if (path.clip !== '') this.#put(path.clip)
      if (path.isClip) this.#clipTo(boundsIn(contours, this.#now.ctm))
      return
    }
    if (rescaling.has(operator.name)) this.#move(this.#text.closeGap())
    const text = textStateAfter(operator, this.#now.text, this.surroundings.used)
    this.#now = { ...this.#now, ...graphicsAfter(operator, this.#now), text }
    const handler = this.#handlers[operator.name] ?? this.#others
    handler(operator)
  }

  readonly #others = (operator: Operator): void => {
    if (isMark(operator)) this.#pieces.put(markedPiece(operator, this.surroundings))
    else if (shows.has(operator.name)) this.#show(operator)
    else if (this.#text.place(operator, this.#now.text)) this.#move(operator.text)
    else this.#put(operator.text)
  }

  readonly #handlers: Readonly<Record<string, (operator: Operator) => void>> = {
    q: ({ text }) => {
      this.#levels.push(this.#now)
      this.#now = { ...this.#now, from: this.#pieces.count, isPainted: false, isInText: this.#isInText }
      this.#put(text)
    },
    Q: () => this.#close(),
    gs: ({ operands, text }) => this.#state(nameIn(operands[0]), text),
    sh: ({ operands, text }) => {
      const { clip } = this.#now
      if (clip !== undefined && this.surroundings.region.contains(clip)) return
      const left = this.#now.reachesIn ? this.#remainingShading(nameIn(operands[0]), text) : text
      if (left !== text) this.surroundings.alternatives.take()
      if (left === undefined) return this.surroundings.removed.add('shadings')
      this.#paint(left, () => everywhere, { category: 'Shading', name: nameIn(operands[0]) })
    },
    Do: ({ operands, text }) => this.#draw(nameIn(operands[0]), text),
    EI: (operator) => this.#inline(operator),
    Tf: ({ operands, text }) => {
      const { font } = this.#now.text
      this.#pieces.put({ text, uses: { category: 'Font', name: nameIn(operands[0]) }, font })
    },
    BT: (operator) => {
      this.#isInText = true
      this.#others(operator)
    },
    ET: ({ text }) => {
      this.#isInText = false
      this.#move(text)
      if (this.#text.endClip()) this.#put(shut)
    },
    scn: (operator) => this.#color(operator, 'fillPattern'),
    SCN: (operator) => this.#color(operator, 'strokePattern'),
  }

  #put(text: string, uses?: ResourceUse): void {
    this.#pieces.put({ text, uses })
  }

  /** Places text. What a level does within a text object stays, as painting does. */
  #move(text: string): void {
    if (text === '') return
    this.#put(text)
    if (this.#now.isInText) this.#now = { ...this.#now, isPainted: true }
  }

  /** Paints, somewhere in the bounds. */
  #paint(text: string, bounds: () => PdfRect | undefined, uses?: ResourceUse): void {
    this.surroundings.alternatives.paint(bounds, this.#now.clip)
    this.#keep(text, uses)
  }

  #keep(text: string, uses?: ResourceUse): void {
    this.#put(text, uses)
    const { fillPattern, strokePattern } = this.#now
    for (const pattern of [fillPattern, strokePattern]) if (pattern !== undefined) this.#pieces.usePattern(pattern)
    this.#now = { ...this.#now, isPainted: true }
  }

  #close(): void {
    const outer = this.#levels.pop()
    if (outer === undefined) return
    const { from, isPainted } = this.#now
    if (isPainted) this.#put('Q')
    else this.#pieces.keepOnlyMarks(from)
    this.#now = { ...outer, isPainted: outer.isPainted || isPainted }
  }

  readonly #isTaken = (code: MeasuredCode, place: Matrix): boolean => {
    const isTaken = this.surroundings.glyphs.isTaken(code, place)
    const { alternatives } = this.surroundings
    const { clip, text } = this.#now
    if (!alternatives.isIdle) alternatives.showGlyph({ code, place, isTaken, isInk: isDrawn(text.mode), clip })
    return isTaken
  }

  #show(operator: Operator): void {
    const { text, ctm } = this.#now
    const left = this.#text.show(operator, text, ctm)
    const { name, used } = text.font ?? {}
    if (name !== undefined) used?.show(name, left.codes.flat())
    if (left.isShown) this.#keep(left.text)
    else this.#move(left.text)
  }

  #state(name: string | undefined, text: string): void {
    const { change, region, removed, used, mask } = this.surroundings
    if (name === undefined) return
    const state = used.find('ExtGState', name)
    const category = 'ExtGState'
    this.#now = { ...this.#now, ...withState(this.#now, state) }
    const group = groupOf(state)
    const isUnder = isMasking(state, this.#now.ctm, region)
    if (isUnder) this.surroundings.alternatives.take()
    const sifted = group && mask(group, this.#now.ctm, isUnder)
    if (!isUnder && sifted === group) {
      this.#put(text, { category, name })
      return
    }
    if (sifted === undefined) removed.add('masked')
    const left = sifted === undefined ? shutMask(change, state) : withGroup(change, state, sifted)
    const added = used.add(category, left)
    this.#put(`/${added} gs`, { category, name: added })
  }

  #draw(name: string | undefined, text: string): void {
    const { used, form } = this.surroundings
    if (name === undefined) return
    const drawing = used.find('XObject', name)
    const subtype = nameOf(entry(drawing, 'Subtype'))
    if (subtype === 'Image') this.#picture(drawing, () => this.#keep(text, { category: 'XObject', name }))
    const left = subtype === 'Form' ? form(drawing, this.#now) : undefined
    if (left !== undefined) this.#drawObject(left)
  }

  #drawObject(object: PDFObject): void {
    const name = this.surroundings.used.add('XObject', object)
    this.#keep(`/${name} Do`, { category: 'XObject', name })
  }

  #picture(picture: PDFObject, draw: () => void): void {
    const { alternatives, pictures, removed } = this.surroundings
    const { ctm, fillPattern } = this.#now
    // The file contains the whole pattern, however little of it a stencil shows.
    const isWhole = fillPattern !== undefined && !this.#sifted.has(fillPattern)
    if (isWhole && pictures.isUnder(ctm) && booleanOf(entry(picture, 'ImageMask')) === true) {
      alternatives.take()
      removed.add('patterns')
      return
    }
    const blanked = pictures.blanked(picture, ctm)
    if (blanked !== picture) alternatives.take()
    if (blanked !== undefined) alternatives.paint(() => placedBounds(unit, ctm), this.#now.clip)
    if (blanked === undefined) removed.add('pictures')
    else if (blanked === picture) draw()
    else this.#drawObject(blanked)
  }

  #inline(operator: Operator): void {
    const { change, used } = this.surroundings
    const picture = objectOfInline(change.pdf, operator, used.resources)
    if (picture !== undefined) this.#picture(picture, () => this.#drawObject(picture))
  }

  #remainingShading(name: string | undefined, text: string): string | undefined {
    const { region, used } = this.surroundings
    if (name === undefined || !isGradient(used.find('Shading', name))) return undefined
    const back = inverse(this.#now.ctm)
    const everywhere = back && boundsOf(everyPlace.map((corner) => transformed(corner, back)))
    const shapes = back ? region.through(back).parts.map((corners) => ({ corners, tolerance: 0 })) : []
    return everywhere && drawnOutside(text, everywhere, shapes)
  }

  #color({ name: operator, operands, text }: Operator, key: 'fillPattern' | 'strokePattern'): void {
    const whole = nameIn(operands.at(-1))
    const name = whole === undefined ? undefined : this.#sifted.nameOf(whole)
    this.#now = { ...this.#now, [key]: name }
    if (name !== undefined && name !== whole && this.#sifted.has(name)) this.surroundings.alternatives.take()
    const written = name === whole ? text : `${[...operands.slice(0, -1), `/${name}`].join(' ')} ${operator}`
    this.#put(written, { category: 'Pattern', name })
  }

  #clipTo(bounds: PdfRect | undefined): void {
    const clip = bounds && (this.#now.clip === undefined ? bounds : intersection(this.#now.clip, bounds))
    const meets = bounds !== undefined && this.surroundings.region.meets(bounds)
    this.#now = { ...this.#now, clip, reachesIn: this.#now.reachesIn && meets }
  }
}
