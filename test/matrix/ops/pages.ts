// Acts on pages: their set, order, boxes and rotation, and names.
import { helvetica, rawPdf } from '../../support/pdf/raw-pdf.js'
import { type DocumentState, type PageState, touching, withPages } from '../state.js'
import type { PageFacts, Ref, Subject } from '../subject.js'
import type { Act, Item, Plan, Scene } from './act.js'
import { placesOf } from './annotations.js'

const orderOf = ({ pages }: Subject): readonly number[] => pages.map(({ ref }) => ref.objectNumber)

/** Returns the pages as listed now; new ones have no origin unless one is given. */
function listed(
  state: DocumentState,
  now: Subject,
  originOf: (place: number) => PageState['origin'] = () => undefined,
): DocumentState {
  let added = 0
  const pages = now.pages.map(({ ref, size, rotation }): PageState => {
    const known = state.pages.find(({ number }) => number === ref.objectNumber)
    if (known !== undefined) return known
    const origin = originOf(added++)
    const copied = origin?.document === 'base' ? state.pages[origin.index] : undefined
    return {
      number: ref.objectNumber,
      size,
      rotation,
      origin,
      // A copied widget is drawn.
      touched: copied?.undrawn ?? [],
      lossy: [],
      signing: copied?.signing ?? [],
      undrawn: [],
      isRedrawn: false,
      annotations: undefined,
    }
  })
  return { ...state, pages }
}

function act(type: string, name: string, plan: (scene: Scene) => Plan | undefined): Act {
  return { type, name, isUndoable: false, plan }
}

const isOrder = (now: Subject, wanted: readonly number[]): string | undefined =>
  JSON.stringify(orderOf(now)) === JSON.stringify(wanted) ? undefined : `the pages are ${orderOf(now).slice(0, 9)}`

const remove = (name: string, which: (pages: readonly PageFacts[]) => PageFacts | undefined): Act =>
  act('pages.delete', `pages.delete ${name}`, ({ subject }) => {
    const page = which(subject.pages)
    if (page === undefined || subject.pages.length < 2) return undefined
    const left = orderOf(subject).filter((number) => number !== page.ref.objectNumber)
    return {
      op: { type: 'pages.delete', pages: [page.ref] },
      pages: left.slice(0, 2),
      after: (state, _item, now) => ({
        ...listed(state, now),
        // Fields whose widgets are all on the page are deleted with it, and links to the page are left dangling.
        pages: listed(state, now).pages.map((page) => ({ ...page, annotations: undefined })),
      }),
      denied: (now) => isOrder(now, left),
    }
  })

const reorder = act('pages.reorder', 'pages.reorder', ({ subject }) => {
  const last = subject.pages.at(-1)
  if (last === undefined || subject.pages.length < 2) return undefined
  const wanted = [last.ref.objectNumber, ...orderOf(subject).slice(0, -1)]
  return {
    op: { type: 'pages.reorder', pages: [last.ref], position: 'start' },
    pages: wanted.slice(0, 2),
    after: (state, _item, now) => listed(state, now),
    denied: (now) => isOrder(now, wanted),
  }
})

const rotate = act('pages.rotate', 'pages.rotate', ({ subject }) => {
  const [page] = subject.pages
  if (page === undefined) return undefined
  const rotation = (page.rotation + 90) % 360
  const number = page.ref.objectNumber
  return {
    op: { type: 'pages.rotate', pages: [page.ref], rotation },
    pages: [number],
    // Notes stay upright, in a different way in each program.
    after: (state) => {
      const notes = placesOf(
        subject.annotations.filter(({ subtype, hasAppearance }) => subtype === 'text' || !hasAppearance),
      )
      return withPages(touching(state, notes), (page) =>
        page.number === number ? { ...page, rotation, isRedrawn: true } : page,
      )
    },
    denied: (now) => (now.pages[0]?.rotation === rotation ? undefined : 'its rotation is another'),
  }
})

const insertBlank = act('pages.insertBlank', 'pages.insertBlank', ({ subject }) => {
  const [first] = subject.pages
  if (first === undefined) return undefined
  return {
    op: { type: 'pages.insertBlank', size: { width: 200, height: 100 }, count: 2, position: { after: first.ref } },
    pages: [first.ref.objectNumber],
    after: (state, _item, now) => listed(state, now),
    denied: (now) =>
      now.pages.length === subject.pages.length + 2 ? undefined : `${now.pages.length} pages are listed`,
  }
})

/** Page with text, a picture and a field, for insertion. */
export const insertedFile = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R]/DA(/Helv 12 Tf 0 g)/DR<</Font<</Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<${helvetica}/XObject<</I 5 0 R>>>>/Annots[6 0 R]>>`,
    4: { body: '<<>>', stream: 'q 60 0 0 60 100 100 cm /I Do Q BT /F1 14 Tf 20 40 Td (inserted words) Tj ET' },
    5: {
      body: '<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceRGB/BitsPerComponent 8>>',
      stream: '\xff\x00\x00\x00\xff\x00\x00\x00\xff\xff\xff\x00',
    },
    6: '<</Type/Annot/Subtype/Widget/FT/Tx/T(inserted)/V(Value)/F 4/Rect[20 120 90 140]/P 3 0 R/DA(/Helv 12 Tf 0 g)/AP<</N 7 0 R>>>>',
    7: {
      body: `<</Type/XObject/Subtype/Form/BBox[0 0 70 20]/Resources<<${helvetica}>>>>`,
      stream: '/Tx BMC BT /F1 12 Tf 2 5 Td (Value) Tj ET EMC',
    },
  })

const insert = (name: string, document: string, source: (scene: Scene) => Buffer): Act =>
  act('pages.insert', `pages.insert ${name}`, (scene) => {
    const [first] = scene.subject.pages
    if (first === undefined || scene.subject.pages.length > 40) return undefined
    return {
      op: { type: 'pages.insert', position: { after: first.ref }, resources: { source: 'source' } },
      resources: { source: { bytes: source(scene) } },
      pages: [first.ref.objectNumber],
      after: (state, item, now) => {
        const inserted = new Set(insertedIn(item))
        const after = listed(state, now, (index) => ({
          document,
          index,
          rotation: now.pages.filter(({ ref }) => inserted.has(ref.objectNumber))[index]?.rotation ?? 0,
        }))
        return after
      },
      denied: (now, item) =>
        insertedIn(item).every((number) => orderOf(now).includes(number)) ? undefined : 'they are not listed',
    }
  })

const insertedIn = (item: Item): readonly number[] => {
  const refs: readonly Ref[] = Object(item['insertedPages'])
  return refs.flatMap(({ objectNumber }) => objectNumber ?? [])
}

const setName = act('pages.setName', 'pages.setName', ({ subject }) => {
  const page = subject.pages.at(-1)
  if (page === undefined) return undefined
  return {
    op: { type: 'pages.setName', name: 'Näme', page: page.ref },
    pages: [page.ref.objectNumber],
    after: (state) => state,
    denied: ({ namedPages }) => (namedPages.includes('Näme') ? undefined : 'the name is not listed'),
  }
})

const removeName = act('pages.removeName', 'pages.removeName', ({ subject }) => {
  const [name] = subject.namedPages
  if (name === undefined) return undefined
  return {
    op: { type: 'pages.removeName', name },
    pages: [],
    after: (state) => state,
    denied: ({ namedPages }) => (namedPages.includes(name) ? 'the name is still listed' : undefined),
  }
})

const setScale = act('pages.setScale', 'pages.setScale', ({ subject }) => {
  const [page] = subject.pages
  if (page === undefined) return undefined
  const metres = [{ unit: 'm', conversion: 0.5 }]
  return {
    op: {
      type: 'pages.setScale',
      page: page.ref,
      measure: { subtype: 'rectilinear', x: metres, distance: metres, area: metres },
    },
    pages: [page.ref.objectNumber],
    after: (state) => state,
    denied: async (_now, _item, layer) => {
      const answer = await layer.get(`pages/obj:${page.ref.objectNumber}/viewports`)
      return answer.status === 200 && answer.text.includes('"m"') ? undefined : 'no viewport has the scale'
    },
  }
})

const metadata: readonly Act[] = [
  {
    type: 'metadata.update',
    name: 'metadata.update',
    isUndoable: true,
    plan: () => ({
      op: { type: 'metadata.update', patch: { title: 'Titel älter' } },
      pages: [],
      after: (state) => ({ ...state, title: 'Titel älter' }),
      denied: ({ title }) => (title === 'Titel älter' ? undefined : `the title is ${title}`),
    }),
  },
  {
    type: 'metadata.updateCustom',
    name: 'metadata.updateCustom',
    isUndoable: true,
    plan: () => ({
      op: { type: 'metadata.updateCustom', patch: { Project: 'Größe' } },
      pages: [],
      after: (state) => state,
      denied: ({ custom }) => (Object(custom)['Project'] === 'Größe' ? undefined : 'the entry is another'),
    }),
  },
]

/** Extracts pages: those of the copy must equal those of the layer. */
const extract = (name: string, which: (pages: readonly PageFacts[]) => readonly PageFacts[]): Act =>
  act('pages.extract', `pages.extract ${name}`, ({ subject }) => {
    const pages = which(subject.pages)
    if (pages.length === 0) return undefined
    return {
      op: { type: 'pages.extract', pages: pages.map(({ ref }) => ref) },
      pages: pages.map(({ ref }) => ref.objectNumber),
      after: (state) => ({
        ...state,
        values: new Map(),
        title: undefined,
        pages: pages.flatMap(({ ref }) => {
          const page = state.pages.find(({ number }) => number === ref.objectNumber)
          // Widgets of a copy name their field, so that more programs draw them.
          return page === undefined
            ? []
            : [{ ...page, touched: [...page.touched, ...page.undrawn], annotations: undefined }]
        }),
      }),
    }
  })

export const pageActs: readonly Act[] = [
  remove('first', ([first]) => first),
  remove('last', (pages) => pages.at(-1)),
  reorder,
  rotate,
  insertBlank,
  insert('another file', 'inserted', insertedFile),
  insert('the file itself', 'base', ({ bytes }) => bytes),
  setName,
  removeName,
  setScale,
  ...metadata,
  extract('first', (pages) => pages.slice(0, 1)),
  extract('last two', (pages) => pages.slice(-2)),
]
