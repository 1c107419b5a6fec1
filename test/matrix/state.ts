// What a layer must be like after an op, as far as programs from outside can see it, and in what it may differ from its file.
import type { Box, Sheet } from './boxes.js'
import { type Subject, widgetsOf } from './subject.js'

export interface Origin {
  /** `base`, or the name of another file that pages were taken from. */
  readonly document: string
  readonly index: number
  readonly rotation: number
}

export interface PageState extends Sheet {
  /** Object number. */
  readonly number: number
  /** Whose text and picture it has; undefined = nobody's, as a page that was inserted. */
  readonly origin: Origin | undefined
  /** Where its picture may be other than that of its origin, and words may be new. */
  readonly touched: readonly Box[]
  /** Where words may be gone. */
  readonly lossy: readonly Box[]
  /** Everything may have moved by a hair, as on a page that was turned. */
  readonly isRedrawn: boolean
  /** Fields to be signed: mutool draws an arrow over them where they are not. */
  readonly signing: readonly Box[]
  /** In the file, of whatever kind; undefined = unknown. */
  readonly annotations: number | undefined
}

export interface DocumentState {
  readonly pages: readonly PageState[]
  /** Of fields by full name, as a file has them; undefined = there is no such field, null = there is one, whatever it holds. */
  readonly values: ReadonlyMap<string, string | null | undefined>
  readonly title: string | undefined
  /** What must be seen in a place, by every program. */
  readonly shows: readonly Shown[]
}

export interface Shown {
  /** Of the page. */
  readonly number: number
  readonly box: Box
  /** Mean colour around the middle of the box. */
  readonly color?: readonly [number, number, number]
  readonly word?: string
  /** Must not be there. */
  readonly lacks?: string
}

export function firstState(subject: Subject, annotations: readonly number[]): DocumentState {
  return {
    pages: subject.pages.map(({ ref, size, rotation }, index) => ({
      number: ref.objectNumber,
      size,
      rotation,
      origin: { document: 'base', index, rotation },
      touched: [],
      lossy: [],
      signing: signingOn(subject, ref.objectNumber),
      isRedrawn: false,
      annotations: annotations[index],
    })),
    values: new Map(),
    title: undefined,
    shows: [],
  }
}

const signingOn = (subject: Subject, number: number): readonly Box[] =>
  subject.fields
    .filter(({ family }) => family === 'signature')
    .flatMap((field) => widgetsOf(subject, field))
    .flatMap(({ ref, rect }) => (ref.page.objectNumber === number ? [rect] : []))

export type Touched = ReadonlyMap<number, readonly Box[]>

/** More places of pages, by object number; words in them may be gone. */
export function touching(state: DocumentState, touched: Touched): DocumentState {
  return withPages(state, (page) => {
    const more = touched.get(page.number) ?? []
    return { ...page, touched: [...page.touched, ...more], lossy: [...page.lossy, ...more] }
  })
}

/** More places in which something is drawn over what was there. */
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

/** The whole of a page. */
export const everythingOn = ({ size }: Pick<PageState, 'size'>): Box => ({
  x: -1e4,
  y: -1e4,
  width: size.width + 2e4,
  height: size.height + 2e4,
})
