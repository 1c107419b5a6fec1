// Expected state of a layer after an op, as far as external programs can see it, and permitted differences from its
// file.
import type { Box, Sheet } from './boxes.js'
import { type AnnotationFacts, isInline, type Subject, widgetsOf } from './subject.js'

export interface Origin {
  /** `base`, or the name of another source file of pages. */
  readonly document: string
  readonly index: number
  readonly rotation: number
}

export interface PageState extends Sheet {
  /** Object number. */
  readonly number: number
  /** Page whose text and picture it has; undefined if there is none, as for an inserted page. */
  readonly origin: Origin | undefined
  /** Regions in which its picture may differ from that of its origin and words may be new. */
  readonly touched: readonly Box[]
  /** Regions in which words may be missing. */
  readonly lossy: readonly Box[]
  /** True if everything may have moved slightly, as on a rotated page. */
  readonly isRedrawn: boolean
  /** Boxes of signature fields: mutool draws them over annotations, and an arrow over unsigned ones. */
  readonly signing: readonly Box[]
  /** Boxes of widgets without a usable appearance, which every program draws differently until we write one. */
  readonly undrawn: readonly Box[]
  /** Number of annotations in the file, of any kind; undefined = unknown. */
  readonly annotations: number | undefined
}

export interface DocumentState {
  readonly pages: readonly PageState[]
  /** Expected field values by full name; undefined = no such field, null = a field with any value. */
  readonly values: ReadonlyMap<string, string | null | undefined>
  readonly title: string | undefined
  /** Content that every program must show in a region. */
  readonly shows: readonly Shown[]
}

export interface Shown {
  /** Object number of the page. */
  readonly number: number
  readonly box: Box
  /** Mean colour around the middle of the box. */
  readonly color?: readonly [number, number, number]
  readonly word?: string
  /** Text that must be absent. */
  readonly lacks?: string
}

export function firstState(subject: Subject, annotations: readonly number[]): DocumentState {
  return {
    pages: subject.pages.map(({ ref, size, rotation }, index) => ({
      number: ref.objectNumber,
      size,
      rotation,
      origin: { document: 'base', index, rotation },
      touched: undrawnOn(subject, ref.objectNumber)
        .filter(isInline)
        .map(({ rect }) => rect),
      lossy: [],
      signing: signingOn(subject, ref.objectNumber),
      undrawn: undrawnOn(subject, ref.objectNumber).map(({ rect }) => rect),
      isRedrawn: false,
      annotations: annotations[index],
    })),
    values: new Map(),
    title: undefined,
    shows: [],
  }
}

/**
 * Widgets without an appearance; with NeedAppearances all, although mutool ignores it. Includes inline widgets, because
 * poppler draws them only once an edit made them objects.
 */
const undrawnOn = ({ annotations, needsAppearances }: Subject, number: number): readonly AnnotationFacts[] =>
  annotations.filter(
    ({ subtype, hasAppearance, ref }) =>
      subtype === 'widget' && (needsAppearances || !hasAppearance) && ref.page.objectNumber === number,
  )

const signingOn = (subject: Subject, number: number): readonly Box[] =>
  subject.fields
    .filter(({ family }) => family === 'signature')
    .flatMap((field) => widgetsOf(subject, field))
    .flatMap(({ ref, rect }) => (ref.page.objectNumber === number ? [rect] : []))

export type Touched = ReadonlyMap<number, readonly Box[]>

/** Adds touched regions of pages, by object number, in which words may be missing. */
export function touching(state: DocumentState, touched: Touched): DocumentState {
  return withPages(state, (page) => {
    const more = touched.get(page.number) ?? []
    return { ...page, touched: [...page.touched, ...more], lossy: [...page.lossy, ...more] }
  })
}

/** Adds regions in which something is drawn over the page. */
export function drawingOver(state: DocumentState, number: number, boxes: readonly Box[]): DocumentState {
  return withPages(state, (page) => (page.number === number ? { ...page, touched: [...page.touched, ...boxes] } : page))
}

export const showing = (state: DocumentState, ...shows: readonly Shown[]): DocumentState => ({
  ...state,
  shows: [...state.shows, ...shows],
})

export const valued = (state: DocumentState, name: string, value: string | null | undefined): DocumentState => ({
  ...state,
  values: new Map([...state.values, [name, value]]),
})

export function withPages(state: DocumentState, change: (page: PageState) => PageState): DocumentState {
  return { ...state, pages: state.pages.map(change) }
}

export function countingAnnotations(state: DocumentState, number: number, added: number): DocumentState {
  return withPages(state, (page) =>
    page.number === number && page.annotations !== undefined
      ? { ...page, annotations: page.annotations + added }
      : page,
  )
}

/** Returns the whole page. */
export const everythingOn = ({ size }: Pick<PageState, 'size'>): Box => ({
  x: -1e4,
  y: -1e4,
  width: size.width + 2e4,
  height: size.height + 2e4,
})
