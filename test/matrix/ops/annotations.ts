// Acts on annotations.
import { onePage } from '../../support/pdf/raw-pdf.js'
import { type Box, grown, meet } from '../boxes.js'
import type { OwnWays } from '../judges/case.js'
import type { Resources } from '../layer.js'
import { countingAnnotations, drawingOver, everythingOn, type Shown, showing, touching, withPages } from '../state.js'
import { type AnnotationFacts, annotationsOn, type PageFacts, type Subject, sameRef } from '../subject.js'
import type { Act, Scene } from './act.js'

/** Box on the right side of a page, where made files have little content. */
export const freeBox = ({ size }: PageFacts): Box => ({
  x: size.width * 0.5,
  y: size.height * 0.55,
  width: size.width * 0.4,
  height: size.height * 0.06,
})

interface Draft {
  readonly data: (box: Box) => object
  readonly resources?: Resources
  readonly color?: Shown['color']
  readonly word?: string
  /** Distance that reader icons extend beyond their box. */
  readonly reach?: number
}

const corners = ({ x, y, width, height }: Box) => ({
  upperLeft: { x, y },
  upperRight: { x: x + width, y },
  lowerLeft: { x, y: y + height },
  lowerRight: { x: x + width, y: y + height },
})

const drafts: Readonly<Record<string, Draft>> = {
  square: {
    data: (box) => ({ subtype: 'square', box, color: '#ff0000', interiorColor: '#ff0000', strokeWidth: 1 }),
    color: [255, 0, 0],
  },
  highlight: { data: (box) => ({ subtype: 'highlight', quadPoints: [corners(box)], color: '#ffff00' }) },
  'free text': {
    data: (box) => ({ subtype: 'free-text', box, contents: 'Quebec9', fontSize: 10, interiorColor: '#ffffff' }),
    word: 'Quebec9',
  },
  note: {
    data: ({ x, y }) => ({
      subtype: 'text',
      rect: { x, y, width: 20, height: 20 },
      contents: 'A remark',
      color: '#00ff00',
    }),
    reach: 30,
  },
  ink: {
    data: ({ x, y, width, height }) => ({
      subtype: 'ink',
      inkList: [
        [
          { x, y },
          { x: x + width, y: y + height },
        ],
      ],
      color: '#0000ff',
      strokeWidth: 2,
    }),
  },
  stamp: {
    data: (rect) => ({ subtype: 'stamp', rect, fit: 'fill', resources: { appearance: 'drawing' } }),
    resources: { drawing: { bytes: onePage('0 0 1 rg 0 0 100 50 re f', { size: [100, 50] }) } },
    color: [0, 0, 255],
  },
  attachment: {
    data: ({ x, y }) => ({
      subtype: 'file-attachment',
      rect: { x, y, width: 14, height: 20 },
      file: { name: 'notes.txt', mimeType: 'text/plain' },
      resources: { file: 'notes' },
    }),
    resources: { notes: { bytes: Buffer.from('Remember the milk'), contentType: 'text/plain' } },
    reach: 30,
  },
  link: { data: (rect) => ({ subtype: 'link', rect, target: { kind: 'uri', uri: 'https://example.com/' } }) },
}

export const creates: readonly Act[] = Object.entries(drafts).map(([name, draft]) => ({
  type: 'annotations.create',
  name: `annotations.create ${name}`,
  isUndoable: true,
  plan: ({ subject }) => {
    const [page] = subject.pages
    if (page === undefined) return undefined
    const number = page.ref.objectNumber
    const box = freeBox(page)
    const { resources, ...data } = Object(draft.data(box))
    const op = { type: 'annotations.create', page: page.ref, data, ...(resources && { resources }) }
    return {
      op,
      ...(draft.resources && { resources: draft.resources }),
      pages: [number],
      after: (state) => {
        const touched = drawingOver(state, number, [grown(box, draft.reach ?? 4)])
        const seen: Shown = {
          number,
          box,
          ...(draft.color && { color: draft.color }),
          ...(draft.word && box.width > 50 && box.height > 14 && { word: draft.word }),
        }
        return showing(countingAnnotations(touched, number, 1), seen)
      },
      denied: (now, item) =>
        now.annotations.some(({ ref }) => sameRef(ref, Object(item['annotation']).ref))
          ? undefined
          : 'it is not listed',
    }
  },
}))

/** A rectangle from a file, whose coordinates are those of the page in the PDF. */
const imports: Act = {
  type: 'annotations.import',
  name: 'annotations.import square',
  isUndoable: true,
  plan: ({ subject }) => {
    const [page] = subject.pages
    if (page === undefined) return undefined
    const number = page.ref.objectNumber
    const box = freeBox(page)
    const { left, top } = Object(page).pdfCropBox
    const rect = [left + box.x, top - box.y - box.height, left + box.x + box.width, top - box.y].join(',')
    const look = 'color="#FF0000" interior-color="#FF0000" width="1" flags="print"'
    const file = `<xfdf><annots><square page="0" rect="${rect}" ${look}/></annots></xfdf>`
    return {
      op: { type: 'annotations.import', resources: { source: 'xfdf' } },
      resources: { xfdf: { bytes: Buffer.from(file) } },
      pages: [number],
      after: (state) =>
        showing(countingAnnotations(drawingOver(state, number, [grown(box, 4)]), number, 1), {
          number,
          box,
          color: [255, 0, 0],
        }),
      denied: (now, item) =>
        now.annotations.some(({ ref }) => sameRef(ref, Object(item['created'])[0]?.ref))
          ? undefined
          : 'it is not listed',
    }
  },
}

/** True if the annotation is markup without replies or group members, so that no others are affected. */
const editable = ({ subtype, locked }: AnnotationFacts): boolean =>
  !['widget', 'popup', 'unsupported', 'link', 'redact'].includes(subtype) && !locked

export const placesOf = (annotations: readonly AnnotationFacts[]): ReadonlyMap<number, readonly Box[]> => {
  const places = new Map<number, Box[]>()
  for (const { ref, rect } of annotations) {
    const number = ref.page.objectNumber
    places.set(number, [...(places.get(number) ?? []), grown(rect, 30)])
  }
  return places
}

/** Returns the annotations that the result of a write refers to, as listed before and after it. */
function involved(before: Subject, now: Subject, item: Readonly<Record<string, unknown>>): readonly AnnotationFacts[] {
  const named: readonly AnnotationFacts['ref'][] = Object(item['meta']).changed ?? []
  return [...before.annotations, ...now.annotations].filter(({ ref }) => named.some((one) => sameRef(one, ref)))
}

function onFirst(
  name: string,
  type: string,
  make: (annotation: AnnotationFacts, scene: Scene) => Readonly<Record<string, unknown>>,
  denied: (now: Subject, annotation: AnnotationFacts) => string | undefined,
): Act {
  return {
    type,
    name,
    isUndoable: true,
    plan: (scene) => {
      const annotation = scene.subject.annotations.find(editable)
      if (annotation === undefined) return undefined
      const number = annotation.ref.page.objectNumber
      return {
        op: { type, ...make(annotation, scene) },
        pages: [number],
        after: (state, item, now) => {
          const changed = [annotation, ...involved(scene.subject, now, item)]
          const touched = touching(state, placesOf(changed))
          if (type !== 'annotations.delete') return touched
          const gone = scene.subject.annotations.filter(
            ({ ref }) => !now.annotations.some((one) => sameRef(one.ref, ref)),
          )
          return gone.reduce((state, { ref }) => countingAnnotations(state, ref.page.objectNumber, -1), touched)
        },
        denied: (now) => denied(now, annotation),
      }
    },
  }
}

const found = (now: Subject, { ref }: AnnotationFacts) => now.annotations.find((one) => sameRef(one.ref, ref))

const updates: readonly Act[] = [
  onFirst(
    'annotations.update contents',
    'annotations.update',
    ({ ref }) => ({ ref, patch: { contents: 'Changed words' } }),
    (now, annotation) =>
      Object(found(now, annotation))['contents'] === 'Changed words' ? undefined : 'the contents are others',
  ),
  onFirst(
    'annotations.update colour',
    'annotations.update',
    ({ ref }) => ({ ref, patch: { color: '#0000ff' } }),
    (now, annotation) => (Object(found(now, annotation))['color'] === '#0000ff' ? undefined : 'the colour is another'),
  ),
  onFirst(
    'annotations.delete',
    'annotations.delete',
    ({ ref }) => ({ ref }),
    (now, annotation) => (found(now, annotation) === undefined ? undefined : 'the annotation is still listed'),
  ),
]

const reorder: Act = {
  type: 'annotations.reorder',
  name: 'annotations.reorder',
  isUndoable: true,
  plan: ({ subject }) => {
    const page = subject.pages.find((page) => annotationsOn(subject, page).filter(editable).length > 1)
    const all = page && annotationsOn(subject, page)
    const first = all?.find(editable)
    if (page === undefined || all === undefined || first === undefined) return undefined
    return {
      op: { type: 'annotations.reorder', page: page.ref, refs: [first.ref], position: 'end' },
      pages: [page.ref.objectNumber],
      after: (state) => touching(state, placesOf(all)),
      denied: (now) => {
        const last = annotationsOn(now, page).findLast(({ subtype }) => subtype !== 'widget')
        return sameRef(last?.ref, first.ref) ? undefined : 'it is not the last one'
      },
    }
  },
}

const flatten: Act = {
  type: 'annotations.flatten',
  name: 'annotations.flatten',
  isUndoable: false,
  plan: ({ subject }) => {
    const annotation = subject.annotations.find(
      ({ subtype, hasAppearance, hidden, noView }) =>
        hasAppearance && !hidden && !noView && !['popup', 'link', 'widget'].includes(subtype),
    )
    if (annotation === undefined || isCovering(subject, annotation)) return undefined
    const { page } = annotation.ref
    const number = page.objectNumber
    return {
      op: { type: 'annotations.flatten', page, refs: [annotation.ref], usage: 'display' },
      pages: [number],
      keepsLook: ownWays(subject),
      after: (state, _item, now) => {
        const gone = subject.annotations.length - now.annotations.length
        return countingAnnotations(drawingOver(state, number, [grown(annotation.rect)]), number, -gone)
      },
      denied: (now) => (found(now, annotation) === undefined ? undefined : 'the annotation is still listed'),
    }
  },
}

/** True if the annotation overlaps others: once flattened, it is drawn below them. */
const isCovering = ({ annotations }: Subject, { ref, rect }: AnnotationFacts): boolean =>
  annotations.some((other) => sameRef(other.ref.page, ref.page) && !sameRef(other.ref, ref) && meet(other.rect, rect))

/**
 * Regions where the program's own drawing is accepted: annotations without appearance. Besides, mutool draws an arrow
 * over unsigned signature fields and redraws fields under NeedAppearances, where poppler leaves unsigned fields empty.
 */
function ownWays({ annotations, fields, needsAppearances }: Subject): OwnWays {
  const signing = fields.filter(({ family }) => family === 'signature').flatMap(({ widgets }) => widgets)
  const isToBeSigned = ({ ref }: AnnotationFacts): boolean => signing.some((widget) => sameRef(widget.ref, ref))
  const isBare = ({ hasAppearance }: AnnotationFacts): boolean => !hasAppearance
  const isAnew = ({ subtype }: AnnotationFacts): boolean => needsAppearances && subtype === 'widget'
  return {
    poppler: placesOf(annotations.filter((one) => isBare(one) || (needsAppearances && isToBeSigned(one)))),
    mutool: placesOf(annotations.filter((one) => isBare(one) || isToBeSigned(one) || isAnew(one))),
  }
}

/** True if programs that redraw the field use their own characters: for passwords and check marks. */
const hasOwnCharacters = ({ fields }: Subject, { ref }: AnnotationFacts): boolean =>
  fields.some(
    ({ family, password, widgets }) =>
      (password === true || family === 'checkbox' || family === 'radio') &&
      widgets.some((widget) => sameRef(widget.ref, ref)),
  )

/** Flattens annotations to content: words remain and pages look the same. */
const flattenPages = (name: string, which: (subject: Subject) => readonly PageFacts[]): Act => ({
  type: 'pages.flatten',
  name: `pages.flatten ${name}`,
  isUndoable: false,
  plan: ({ subject }) => {
    const pages = which(subject)
    if (pages.length === 0) return undefined
    const numbers = pages.map(({ ref }) => ref.objectNumber)
    return {
      op: { type: 'pages.flatten', pages: pages.map(({ ref }) => ref), usage: 'display' },
      pages: numbers,
      keepsLook: ownWays(subject),
      after: (state) =>
        // Fields go with their widgets.
        withPages({ ...state, values: new Map() }, (page) => {
          const facts = pages.find(({ ref }) => ref.objectNumber === page.number)
          if (facts === undefined) return page
          const all = annotationsOn(subject, facts)
          // A line without appearance may extend beyond its rectangle; the size of its arrow heads differs between programs.
          const isDrawnAnywhere = all.some(({ subtype, hasAppearance }) => subtype === 'line' && !hasAppearance)
          const places = isDrawnAnywhere ? [everythingOn(facts)] : all.map(({ rect }) => grown(rect, 30))
          // Words of a field without appearance depend on the program that draws them.
          const bare = all.filter((one) =>
            subject.needsAppearances ? hasOwnCharacters(subject, one) : !one.hasAppearance,
          )
          const lossy = [...page.lossy, ...bare.map(({ rect }) => rect)]
          return { ...page, touched: [...page.touched, ...places], lossy, annotations: undefined }
        }),
    }
  },
})

const isFull = (subject: Subject) => (page: PageFacts) => annotationsOn(subject, page).length > 0

/** Marks a word that poppler reads exactly once on the page, and that has only letters which fonts rarely alter. */
const markWord: Act = {
  type: 'annotations.mark',
  name: 'annotations.mark a word',
  isUndoable: true,
  plan: ({ subject, words: [words = []] }) => {
    const [page] = subject.pages
    const single = words.find(
      ({ text }) => /^[a-z]{4,}$/i.test(text) && words.filter((other) => other.text.includes(text)).length === 1,
    )
    if (page === undefined || single === undefined) return undefined
    const number = page.ref.objectNumber
    const data = { subtype: 'highlight', color: '#00ff00' }
    return {
      op: { type: 'annotations.mark', text: single.text, wholeWord: true, pages: [page.ref], data },
      pages: [number],
      after: (state, item) => {
        const marks: readonly AnnotationFacts[] = Object(item).annotations ?? []
        const boxes = marks.map(({ rect }) => grown(rect))
        return countingAnnotations(drawingOver(state, number, boxes), number, marks.length)
      },
      denied: (now, item) => {
        const marks: readonly AnnotationFacts[] = Object(item).annotations ?? []
        return marks.every(({ ref }) => now.annotations.some((one) => sameRef(one.ref, ref)))
          ? undefined
          : 'a mark is not listed'
      },
    }
  },
}

export const annotationActs: readonly Act[] = [
  imports,
  ...creates,
  markWord,
  ...updates,
  reorder,
  flatten,
  flattenPages('one', (subject) => subject.pages.filter(isFull(subject)).slice(0, 1)),
  flattenPages('many', (subject) => subject.pages.filter(isFull(subject)).slice(0, 20)),
]
