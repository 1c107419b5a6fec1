// Every reader draws an object that is added or changed under a signature in its rectangle alone: objects × rectangles × boxes of
// the appearance. Other programs draw what the analysis permits, and all pixels outside the rectangle stay.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { chosen } from '../../../../core/conformance/chance.js'
import { type DrawingJudge, drawnBy } from '../../../support/pdf/drawn-difference.js'
import { needs } from '../../../support/pdf/judges.js'
import { sampleOf } from '../../../support/sample.js'
import {
  amount,
  form,
  formFields,
  page,
  pageAnnotations,
  secondSignature,
  signature,
  signedContract,
} from './support/contract.js'
import { judgePath } from './support/judge.js'
import { type RawFile, type RawObjects, stream } from './support/raw-file.js'

const judges = ['pdftoppm', 'mutool', 'gs'] as const satisfies readonly DrawingJudge[]
const rects = {
  good: '[100 700 300 720]',
  turned: '[300 720 100 700]',
  outside: '[1000 1000 1200 1020]',
  point: '[0 0 0 0]',
  'point on the page': '[100 700 100 700]',
  narrow: '[0 0 0 400]',
  flat: '[0 0 400 0]',
  'three numbers': '[0 0 400]',
  text: '(x)',
  null: 'null',
  none: '',
} as const
const boxes = {
  fitting: '/BBox[0 0 200 20]',
  large: '/BBox[0 0 600 800]',
  point: '/BBox[0 0 0 0]',
  narrow: '/BBox[0 0 0 400]',
  none: '',
  turned: '/BBox[0 0 200 20]/Matrix[0 20 -20 0 7 7]',
  'huge without a box': '/Matrix[1000 0 0 1000 0 0]',
  singular: '/BBox[0 0 200 20]/Matrix[0 0 0 0 0 0]',
} as const
const contents = {
  'white area': '1 g -5000 -5000 10000 10000 re f',
  text: 'BT /Helv 12 Tf 20 5 Td (777) Tj ET',
  nothing: '% DSBlank\nq 1 0 0 1 0 0 cm Q',
  'an empty form': 'q /FRM Do Q',
} as const
type Content = keyof typeof contents
const fill = { level: 'fill', isCertified: true } as const
const annotate = { level: 'annotate' } as const

interface Subject {
  readonly restraints: typeof fill | typeof annotate
  readonly content: readonly Content[]
  /** Objects of the signed revision in place of the common ones; `rect` with its key. */
  readonly before?: (rect: string) => RawObjects
  readonly objects: (rect: string) => RawObjects
}

const added = (object: string): RawObjects => ({ 3: page(`${pageAnnotations} 90 0 R`), 90: object })
const look = '/P 3 0 R/F 4/AP<</N 91 0 R>>'
const withRect = (object: string, rect: string): string => object.replace(/\/Rect\[[^\]]*\]/, rect)
const anyContent = ['white area', 'nothing', 'an empty form'] as const

const subjects: Readonly<Record<string, Subject>> = {
  'a new signature field': {
    restraints: fill,
    content: anyContent,
    objects: (rect) => ({
      ...added(`<</Type/Annot/Subtype/Widget/FT/Sig/T(New)${rect}${look}>>`),
      10: form(`${formFields} 90 0 R`),
    }),
  },
  'a signature in a field that was there': {
    restraints: fill,
    content: anyContent,
    before: (rect) => ({ 23: withRect(secondSignature(''), rect) }),
    objects: (rect) => ({ 23: withRect(secondSignature('/V 92 0 R/AP<</N 91 0 R>>'), rect), 92: signature() }),
  },
  'a filled text field': {
    restraints: fill,
    content: ['text'],
    before: (rect) => ({ 20: withRect(amount('100').replace('/AP<</N 12 0 R>>', ''), rect) }),
    objects: (rect) => ({ 20: withRect(amount('777', 91), rect) }),
  },
  'a new stamp': {
    restraints: annotate,
    content: anyContent,
    objects: (rect) => added(`<</Type/Annot/Subtype/Stamp${rect}${look}>>`),
  },
  'a new free text': {
    restraints: annotate,
    content: anyContent,
    objects: (rect) => added(`<</Type/Annot/Subtype/FreeText/DA(/Helv 10 Tf 0 g)/Contents(x)${rect}${look}>>`),
  },
  'a note with another look and rectangle': {
    restraints: annotate,
    content: ['white area'],
    objects: (rect) => ({
      32: `<</Type/Annot/Subtype/Text/Contents(Look)/Popup 34 0 R${rect}/P 3 0 R/AP<</N 91 0 R>>>>`,
    }),
  },
}

interface Trial {
  readonly title: string
  readonly subject: Subject
  readonly rect: keyof typeof rects
  readonly box: keyof typeof boxes
  readonly content: Content
}

const trials: readonly Trial[] = Object.entries(subjects).flatMap(([name, subject]) =>
  keysOf(rects).flatMap((rect) =>
    keysOf(boxes).flatMap((box) =>
      subject.content.map((content) => {
        const title = `${name}, rectangle ${rect}, box ${box}, ${content}`
        return { title, subject, rect, box, content }
      }),
    ),
  ),
)

function keysOf<Key extends string>(table: Readonly<Record<Key, unknown>>): readonly Key[] {
  return Object.keys(table) as Key[]
}

function fileOf({ subject, rect, box, content }: Trial): { readonly signed: RawFile; readonly later: RawFile } {
  const entry = rects[rect] === '' ? '' : `/Rect ${rects[rect]}`
  const resources = '/Resources<</Font<</Helv 5 0 R>>/XObject<</FRM 93 0 R>>>>'
  const objects = {
    ...subject.objects(entry),
    91: stream(contents[content], `/Type/XObject/Subtype/Form${boxes[box]}${resources}`),
    93: stream('', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'),
  }
  const signed = () => signedContract(subject.before?.(entry))
  return { signed: signed(), later: signed().update({ objects }) }
}

const hasArea: readonly Trial['rect'][] = ['good', 'turned', 'outside']
const isFlat: readonly Trial['rect'][] = ['point', 'point on the page', 'narrow', 'flat']

/** Returns what the analysis must permit, by the table alone. */
function isExpected({ subject, rect, box, content }: Trial): boolean {
  const isNewField = subject === subjects['a new signature field']
  if (!hasArea.includes(rect) && !isFlat.includes(rect)) return false
  // A field with an area would be seen, and the document is certified.
  if (isNewField && !isFlat.includes(rect)) return false
  if (content === 'nothing' || content === 'an empty form') return true
  if (isFlat.includes(rect)) return box === 'point' || box === 'narrow'
  return ['fitting', 'large', 'turned'].includes(box)
}

const folder = t.testdir()

function written(name: string, file: RawFile): string {
  const path = join(folder, name)
  writeFileSync(path, file.bytes)
  return path
}

t.test(`nothing is drawn outside its place: ${trials.length} objects, rectangles and boxes`, async (t) => {
  for (const trial of trials) {
    const { later } = fileOf(trial)
    const { verdict, findings } = judgePath(written('later.pdf', later), 1, trial.subject.restraints)
    const expected = isExpected(trial) ? 'permitted' : 'forbidden'
    t.equal(verdict, expected, `${trial.title}: ${verdict === expected ? verdict : JSON.stringify(findings)}`)
  }
})

t.test('what is permitted changes no pixel outside its rectangle in any program', needs(...judges), async (t) => {
  const permitted = trials.filter(isExpected)
  for (const number of chosen(permitted.length, sampleOf(8).sample)) {
    const trial = permitted[number - 1]
    if (trial === undefined) continue
    const { signed, later } = fileOf(trial)
    const [before, after] = [written('signed.pdf', signed), written('drawn.pdf', later)]
    for (const judge of judges) t.same(changedOutside(judge, before, after, trial), [], `${trial.title}: ${judge}`)
  }
})

/** A point more or less on both sides: pixels are rounded. */
const isBetween = (place: number, one: number, other: number): boolean =>
  place >= Math.min(one, other) - 2 && place <= Math.max(one, other) + 2

/** Returns the first pixels outside the rectangle that differ, in points from the lower left corner. */
function changedOutside(judge: DrawingJudge, before: string, after: string, trial: Trial): readonly number[] {
  const [one, other] = [drawnBy(judge, before, { dpi: 72 }), drawnBy(judge, after, { dpi: 72 })]
  // The old rectangle of a note, which some draw with an icon of their own, is its place as well.
  const places = [rects[trial.rect], '[400 400 420 420]'].map((text) => (text.match(/\d+/g) ?? []).map(Number))
  const isInside = (x: number, y: number): boolean =>
    places.some(([a = 0, b = 0, c = 0, d = 0]) => isBetween(x, a, c) && isBetween(y, b, d))
  for (let at = 0; at < one.rgb.length; at++) {
    if (one.rgb[at] === other.rgb[at]) continue
    const pixel = Math.floor(at / 3)
    const [x, y] = [pixel % one.width, one.height - Math.floor(pixel / one.width)]
    if (!isInside(x, y)) return [x, y]
  }
  return []
}
