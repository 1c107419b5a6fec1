// Acts of redaction: a mark is placed, and what lies under it is removed. Everything else must stay.
import { type Box, grown, meet, onPage } from '../boxes.js'
import type { Word } from '../judges/words.js'
import { countingAnnotations, drawingOver, everythingOn, showing, touching, withPages } from '../state.js'
import { annotationsOn, type PageFacts } from '../subject.js'
import type { Act, Item, Scene } from './act.js'

type Place = (page: PageFacts, words: readonly Word[]) => { readonly box: Box; readonly word?: string } | undefined

const boxesOf = (page: PageFacts, words: readonly Word[]): readonly Box[] => words.map(({ box }) => onPage(box, page))

/** Covers only the middle of the word's height, so that adjacent lines are not touched. */
const wordAt =
  (share: number): Place =>
  (page, words) => {
    const single = words.filter(
      ({ text }) => text.length > 3 && words.filter((other) => other.text === text).length === 1,
    )
    const word = single[Math.floor(single.length * share)]
    if (word === undefined) return undefined
    const box = onPage(word.box, page)
    const isUpright = box.width >= box.height
    const { x, y, width, height } = box
    const inner = isUpright
      ? { x, y: y + height * 0.25, width, height: height * 0.5 }
      : { x: x + width * 0.25, y, width: width * 0.5, height }
    return { box: inner, word: word.text }
  }

const namedWord =
  (name: string): Place =>
  (page, words) => {
    const found = words.filter(({ text }) => text === name)
    return found.length === 1 ? wordAt(0)(page, [...found]) : undefined
  }

/** Finds a place without words; it may have pictures and drawings. */
const emptyPlace: Place = (page, words) => {
  const { width, height } = page.size
  const candidates = [0.72, 0.5, 0.3, 0.85, 0.6].flatMap((y) =>
    [0.6, 0.2, 0.4, 0.8].map((x) => ({ x: width * x, y: height * y, width: width * 0.08, height: height * 0.03 })),
  )
  const box = candidates.find((box) => boxesOf(page, words).every((word) => !meet(grown(box, 6), word)))
  return box && { box }
}

const mark = (name: string, place: Place): Act => ({
  type: 'annotations.create',
  name: `mark ${name}`,
  isUndoable: true,
  plan: ({ subject, words }) => {
    const [page] = subject.pages
    const found = page && place(page, words[0] ?? [])
    if (page === undefined || found === undefined) return undefined
    const number = page.ref.objectNumber
    return {
      op: {
        type: 'annotations.create',
        page: page.ref,
        data: { subtype: 'redact', rect: found.box, interiorColor: '#000000', color: '#ff0000' },
      },
      pages: [number],
      after: (state) => countingAnnotations(drawingOver(state, number, [grown(found.box)]), number, 1),
    }
  },
})

/** True if the answer reports content that cannot be divided, such as the mesh of a shading. */
const isCutWhole = ({ removedWhole }: Item): boolean =>
  Array.isArray(removedWhole) && removedWhole.some(({ kind }) => ['shadings', 'patterns', 'masked'].includes(kind))

const apply = (name: string, place: Place): Act => ({
  type: 'redactions.apply',
  name: `redactions.apply ${name}`,
  isUndoable: false,
  plan: (scene: Scene) => {
    const { subject, words } = scene
    const [page] = subject.pages
    const found = page && place(page, words[0] ?? [])
    if (page === undefined || found === undefined) return undefined
    const number = page.ref.objectNumber
    return {
      op: { type: 'redactions.apply', pages: [page.ref] },
      pages: [number],
      after: (state, item, now) => {
        // Marks that the file already had are applied as well.
        const gone = annotationsOn(subject, page).filter(
          ({ ref }) => !now.annotations.some((one) => JSON.stringify(one.ref) === JSON.stringify(ref)),
        )
        const places = [found.box, ...gone.map(({ rect }) => grown(rect))]
        const without = withPages(touching(state, new Map([[number, places]])), (page) =>
          page.number === number ? { ...page, annotations: undefined } : page,
        )
        const { word } = found
        const seen = isCutWhole(item) ? drawingOver(without, number, [everythingOn(page)]) : without
        return showing(seen, { number, box: found.box, ...(word !== undefined && { lacks: word }) })
      },
      denied: (now) =>
        annotationsOn(now, page).some(({ subtype }) => subtype === 'redact') ? 'a mark is still listed' : undefined,
    }
  },
})

const places: Readonly<Record<string, Place>> = {
  'a word': wordAt(0.4),
  'a word in a banner': namedWord('bravo'),
  'a word in a cell': namedWord('india'),
  'a word in a named font': namedWord('golf'),
  'an empty place': emptyPlace,
  'a place in the middle': ({ size }) => ({
    box: { x: size.width * 0.6, y: size.height * 0.75, width: size.width * 0.12, height: size.height * 0.04 },
  }),
}

export const redactionChains: readonly (readonly [name: string, acts: readonly Act[]])[] = Object.entries(places).map(
  ([name, place]) => [`redact ${name}`, [mark(name, place), apply(name, place)]],
)
