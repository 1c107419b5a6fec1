// Positions of annotations in the stacking order of their page, including removed annotations and the former positions of
// moved ones; likewise for kids of a field, root fields of the form and its calculation order. Members return to their own
// positions in whatever order changes are undone. The layer stores these positions: the file has only the current lists.

import { entry, textOf } from '../objects/values.js'
import type { Change } from './change.js'
import type { CachedKind } from './change-cache.js'

/**
 * Position of an annotation, with the mark of its last move; or a position that an annotation was moved from, as a
 * negative number.
 */
interface Place {
  readonly number: number
  readonly mark: number
}

/** A moved annotation. Undo returns it to its former position unless it was moved again. */
export interface MovedMember {
  readonly number: number
  readonly slot: number
  /** Mark of the move, and the mark before it. */
  readonly mark: number
  readonly before: number
}

/** Maximum number of positions recorded for one list; above it, those of removed members are dropped. */
const placesMax = 100_000

const places: CachedKind<Change, string, Places> = {
  source: 'places',
  compute: (change, about) => new Places(change, about),
}

/** Positions of the members of a list, by the key under which the layer stores them. */
export const placesIn = (change: Change, about: string): Places => change.cache.get(places, about)

/** Positions of the annotations of a page, by its object number. */
export const placesOn = (change: Change, page: number): Places => placesIn(change, `places ${page}`)

export class Places {
  readonly #change: Change
  readonly #about: string
  #all: Place[]
  #slots: number
  #isSaved = true
  #isRemembered: boolean

  /** Reads the positions. `about`: key under which the layer stores them. */
  constructor(change: Change, about: string) {
    this.#change = change
    this.#about = about
    const note = change.undoData.of(this.#about)
    this.#isRemembered = note !== undefined
    this.#all = note === undefined ? [] : readPlaces(textOf(entry(note, 'Places')) ?? '')
    this.#slots = this.#all.reduce((lowest, { number, mark }) => Math.min(lowest, number, mark), 0)
  }

  /** Records the current order before it is changed. */
  follow(order: readonly number[]): void {
    const now = annotationsIn(order)
    const here = new Set(now)
    const marks = new Map(this.#all.map(({ number, mark }) => [number, mark]))
    const known = now.filter((number) => marks.has(number))
    // Other programs may have changed the order.
    let next = 0
    const all = this.#all.map((place) => {
      const number = here.has(place.number) ? (known[next++] ?? place.number) : place.number
      return number === place.number ? place : { number, mark: marks.get(number) ?? 0 }
    })
    this.#all = known.length === now.length ? all : withNew(all, now, marks)
    if (this.#all.length <= placesMax) return
    this.#all = this.#all.filter(({ number }) => here.has(number))
  }

  /** Stores the positions once all ops are applied. */
  save(): void {
    if (!this.#isSaved) return
    this.#isSaved = false
    this.#isRemembered = true
    const change = this.#change
    const known = change.undoData.of(this.#about)
    const note =
      known === undefined ? change.undoData.put(this.#about, change.pdf.newDictionary()) : change.touch(known)
    change.atEnd(() => note.put('Places', change.pdf.newString(this.#text)))
  }

  /** Returns whether the object was in the list when positions were last recorded, or before. */
  has(number: number): boolean {
    return this.#isRemembered && this.#all.some((place) => place.number === number)
  }

  /** Object numbers of all current and former members at the time positions were last recorded. */
  get members(): readonly number[] {
    return this.#isRemembered ? this.#all.flatMap(({ number }) => (number > 0 ? [number] : [])) : []
  }

  /** Gives an object the position of another one. */
  replace(number: number, by: number): void {
    if (!this.has(number)) return
    const others = this.#all.filter((place) => place.number !== by)
    this.#all = others.map((place) => (place.number === number ? { ...place, number: by } : place))
    this.save()
  }

  /** Returns the index at which a missing member is restored. */
  placeIn(order: readonly number[], number: number): number {
    const at = this.#all.findIndex((place) => place.number === number)
    const here = new Set(order)
    const below = at === -1 ? undefined : this.#all.findLast((place, index) => index < at && here.has(place.number))
    if (below !== undefined) return order.indexOf(below.number) + 1
    const above = at === -1 ? undefined : this.#all.find((place, index) => index > at && here.has(place.number))
    return above === undefined ? order.length : order.indexOf(above.number)
  }

  /** Records a move that resulted in `order`. Returns the former position of each moved member. */
  move(numbers: readonly number[], order: readonly number[]): readonly MovedMember[] {
    const moving = new Set(numbers)
    const moved: MovedMember[] = []
    this.#all = this.#all.map((place) => {
      if (!moving.has(place.number)) return place
      const slot = --this.#slots
      moved.push({ number: place.number, slot, mark: slot, before: place.mark })
      return { number: slot, mark: 0 }
    })
    const marks = new Map(moved.map(({ number, mark }) => [number, mark]))
    this.#all = withNew(this.#all, annotationsIn(order), marks)
    this.save()
    return moved
  }

  /** Returns the resulting order and the data for undoing it; undefined if a member was moved since. */
  moveBack(moved: readonly MovedMember[], order: readonly number[]): MovedBack | undefined {
    const here = new Set(order)
    const marks = new Map(this.#all.map(({ number, mark }) => [number, mark]))
    const isLeft = ({ number, slot, mark }: MovedMember) => marks.get(number) === mark && marks.has(slot)
    const going = moved.filter(isLeft)
    const isOtherHere = moved.some((one) => here.has(one.number) && !isLeft(one))
    if (going.length === 0 || isOtherHere) return undefined
    const left = new Map(going.map((one) => [one.number, --this.#slots]))
    const home = new Map(going.map(({ number, slot, before }) => [slot, { number, mark: before }]))
    this.#all = this.#all.map((place) => {
      const slot = left.get(place.number)
      return slot === undefined ? (home.get(place.number) ?? place) : { number: slot, mark: 0 }
    })
    this.save()
    return {
      moved: going.map(({ number, mark, before }) => ({
        number,
        slot: left.get(number) ?? 0,
        mark: before,
        before: mark,
      })),
      order: this.#all.flatMap(({ number }) => (here.has(number) ? [number] : [])),
    }
  }

  get #text(): string {
    return this.#all.map(({ number, mark }) => `${number} ${mark}`).join(' ')
  }
}

export interface MovedBack {
  readonly moved: readonly MovedMember[]
  readonly order: readonly number[]
}

const annotationsIn = (order: readonly number[]): readonly number[] => [
  ...new Set(order.filter((number) => number > 0)),
]

/** Adds new members directly below the next one that has a position; those above all of them are added at the top. */
function withNew(all: readonly Place[], order: readonly number[], marks: ReadonlyMap<number, number>): Place[] {
  const known = new Set(all.map(({ number }) => number))
  const under = new Map<number, Place[]>()
  let waiting: Place[] = []
  for (const number of order) {
    if (!known.has(number)) waiting.push({ number, mark: marks.get(number) ?? 0 })
    else {
      under.set(number, waiting)
      waiting = []
    }
  }
  return [...all.flatMap((place) => [...(under.get(place.number) ?? []), place]), ...waiting]
}

/** Parses pairs of numbers. The text may come from a file that contains an object of the same name. */
function readPlaces(text: string): Place[] {
  const numbers = text.split(' ', 2 * placesMax).map(Number)
  if (!numbers.every(Number.isSafeInteger)) return []
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, index) => ({
    number: numbers[2 * index] ?? 0,
    mark: numbers[2 * index + 1] ?? 0,
  }))
}
