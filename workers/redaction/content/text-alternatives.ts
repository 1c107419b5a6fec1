// Decides which text alternatives of marked content (ISO 32000-2, 14.9) a redacted page keeps: those of content that is
// seen beside the marks and of which nothing was taken, if they say nothing that was. In many scripts glyphs have no other
// text.
import type { Matrix } from 'mupdf'
import type { PdfRect } from '../../contract/pdf-rect.js'
import { intersection, isEmpty } from '../../objects/rectangles.js'
import { placedBounds } from '../region.js'
import { lettersIn, type RemovedText } from '../removed-text.js'
import type { MeasuredCode } from '../text/font-measures.js'

export const alternativeKeys = ['ActualText', 'Alt', 'E'] as const

export type Alternatives = readonly (readonly [(typeof alternativeKeys)[number], string])[]

/** A span of marked content. */
class Span {
  isTaken = false
  isSeen = false
  isKept = false
  /** True if a glyph has no text of its own. */
  hasUnread = false
  /** Text of the glyphs. */
  own = ''
  /** What is drawn; undefined for more than a few glyphs. */
  look: string | undefined = ''

  constructor(readonly texts: Alternatives) {}

  add({ isTaken, isSeen, hasUnread, own, look }: Span): void {
    this.isTaken ||= isTaken
    this.isSeen ||= isSeen
    this.hasUnread ||= hasUnread
    this.own = (this.own + own).slice(0, ownMax)
    this.look = look === undefined || this.look === undefined ? undefined : within(this.look + look)
  }

  get text(): string {
    return this.texts.map(([, text]) => text).join('\n')
  }

  get isReplacing(): boolean {
    return this.texts.some(([key]) => key === 'ActualText')
  }

  /** True if the alternative is what the glyphs stand for, as far as the file says. */
  get isReading(): boolean {
    return this.hasUnread && this.texts.every(([key]) => key === 'ActualText')
  }
}

const ownMax = 1_000
const within = (look: string): string | undefined => (look.length > ownMax ? undefined : look)

/** Characters that say nothing about a glyph: none, controls, and those of one font alone. */
const unread = /[\ufffd\p{Co}\p{Cn}\p{Cs}\p{Cc}]/u
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' })
const isOneLetter = (text: string): boolean => [...letters.segment(text)].length <= 1

/** Maximum number of comparisons of parts of words. */
const effortMax = 20_000_000

export interface ShownGlyph {
  readonly code: MeasuredCode
  /** Maps ems to the page. */
  readonly place: Matrix
  readonly isTaken: boolean
  /** True if the text rendering mode draws glyphs. */
  readonly isInk: boolean
  readonly clip: PdfRect | undefined
}

export class TextAlternatives {
  readonly #spans: Span[] = []
  readonly #codes = new Map<MeasuredCode, number>()
  /** Everything that can be read, in the order of the content. */
  readonly #said: (string | Span)[] = []
  #open: Span[] = []
  /** Number of the spans that the current content stream may close. */
  #base = 0
  /** Nesting of content streams. */
  #depth = 0
  /** Nesting of content that is no text to readers: cells of patterns, soft masks. */
  #hidden = 0
  /** Number of open spans of which readers do not read the glyphs. */
  #replacing = 0
  #isAmbiguous = false

  /** `page`: what is drawn outside of it is not seen. `isIdle`: true if the page has no alternatives. */
  constructor(
    private readonly page: PdfRect,
    readonly isIdle: boolean,
  ) {}

  /** Runs what reads a content stream in the content that draws it. */
  inStream<Answer>(isHidden: boolean, read: () => Answer): Answer {
    const base = this.#base
    this.#base = this.#open.length
    this.#depth++
    if (isHidden) this.#hidden++
    const answer = read()
    if (isHidden) this.#hidden--
    this.#depth--
    // What follows may close the spans instead of its own.
    if (this.#open.length > this.#base && this.#depth > 0) this.#isAmbiguous = true
    while (this.#open.length > this.#base) {
      this.take()
      this.#close()
    }
    this.#base = base
    return answer
  }

  /** Opens a span. Returns a function that answers, in the end, whether its alternatives stay. */
  begin(texts: Alternatives): () => boolean {
    const span = new Span(this.#hidden > 0 ? [] : texts)
    this.#open.push(span)
    if (span.isReplacing) this.#replacing++
    if (span.texts.length > 0) this.#said.push(span)
    return () => span.isKept
  }

  end(): void {
    if (this.#open.length > this.#base) this.#close()
  }

  #close(): void {
    const span = this.#open.pop()
    if (span === undefined) return
    this.#open.at(-1)?.add(span)
    if (span.isReplacing) this.#replacing--
    if (span.texts.length > 0) this.#spans.push(span)
  }

  /** Notes that something of the current content lies under a mark. */
  take(): void {
    const span = this.#open.at(-1)
    if (span !== undefined) span.isTaken = true
  }

  /** Notes a path, picture or shading that is left. */
  paint(bounds: () => PdfRect | undefined, clip: PdfRect | undefined): void {
    const span = this.#open.at(-1)
    if (span === undefined) return
    span.look = undefined
    const box = bounds()
    if (box !== undefined && this.#isSeen(box, clip)) span.isSeen = true
  }

  showGlyph({ code, place, isTaken, isInk, clip }: ShownGlyph): void {
    if (this.#hidden > 0) return
    if (!isTaken && this.#replacing === 0) this.#said.push(code.text)
    const span = this.#open.at(-1)
    if (span === undefined) return
    const number = this.#codes.get(code) ?? this.#codes.size
    this.#codes.set(code, number)
    const hasInk = code.isDrawing || code.boxes.length > 1
    const one = new Span([])
    one.isTaken = isTaken
    one.isSeen = isInk && hasInk && !isTaken && this.#isSeen(placedBounds(code.extent, place), clip)
    one.hasUnread = hasInk && (code.text === '' || unread.test(code.text))
    one.own = code.text
    one.look = `${number} `
    span.add(one)
  }

  #isSeen(bounds: PdfRect, clip: PdfRect | undefined): boolean {
    const shown = intersection(bounds, clip === undefined ? this.page : intersection(this.page, clip))
    return !isEmpty(shown)
  }

  /** Decides, once all content was read. Returns the number of alternatives that go with content beside the marks. */
  decide(removed: RemovedText): number {
    const taken = this.#spans.filter(({ isTaken }) => isTaken)
    removed.add(taken.map(({ text }) => text))
    const known = new Set(taken.map(keyOf))
    const isKnown = (span: Span): boolean => span.look !== undefined && known.has(keyOf(span))
    const left = this.#spans.filter((span) => {
      if (span.isTaken || this.#isAmbiguous) return false
      if (lettersIn(span.text) === '') return true
      return span.isSeen && !isRevealing(span, removed, isKnown(span))
    })
    const claims = new Set(left.filter((span) => !span.isReading && !isSame(span) && !isKnown(span)))
    const told = this.#toldTogether(claims, removed)
    for (const span of left) span.isKept = !told.has(span)
    return this.#spans.filter(({ isKept, isSeen }) => isSeen && !isKept).length
  }

  /** Texts of the alternatives that stay. */
  get kept(): ReadonlySet<string> {
    return new Set(this.#spans.filter(({ isKept }) => isKept).flatMap(({ texts }) => texts.map(([, text]) => text)))
  }

  /** Returns the alternatives that have a removed word together with others, or with glyphs beside them. */
  #toldTogether(claims: ReadonlySet<Span>, removed: RemovedText): ReadonlySet<Span> {
    if (claims.size === 0) return claims
    const effort = { left: effortMax }
    const told = new Set<Span>()
    for (const said of [this.#said, this.#said.filter((one) => typeof one !== 'string')]) {
      const texts = said.map((one) => lettersIn(typeof one === 'string' ? one : one.text))
      const joined = texts.join('')
      let from = 0
      for (const [index, one] of said.entries()) {
        const to = from + (texts[index]?.length ?? 0)
        if (typeof one !== 'string' && claims.has(one) && removed.isAt(joined, [from, to], effort)) told.add(one)
        from = to
      }
    }
    return told
  }
}

const keyOf = ({ look, text }: Span): string => `${look}\n${text}`

/** True if the alternative says what the glyphs say. */
const isSame = ({ own, text }: Span): boolean => lettersIn(own) === lettersIn(text)

/** `isKnown`: the same glyphs with the same alternative were taken, and show what they stand for. */
function isRevealing(span: Span, removed: RemovedText, isKnown: boolean): boolean {
  if (isSame(span)) return false
  if (span.isReading && (isKnown || isOneLetter(span.text))) return false
  return removed.isIn(span.text, !span.isReading)
}
