// Compares a download with what is expected of it: each program's reading is compared with its own reading of the file
// before.
import { type Box, grown, inPixels, meet, onPage, type Sheet } from '../boxes.js'
import type { Origin, PageState } from '../state.js'
import { baseOf, type Case, type Complaint, replaces } from './case.js'
import type { Measured } from './measured.js'
import { coarseDifference, differenceOutside, turned } from './pictures.js'
import { sights } from './sights.js'
import { missingWords, type Word } from './words.js'

const pixelsMax = 6
/** Maximum share of changed pixels on a page with removed content: the rest of a picture is encoded again. */
const recodedShareMax = 0.001
/** Maximum difference for pages that must look alike but are drawn in another way. */
export const coarseMax = 40
/** Maximum difference for rotated pages: thin lines fall on other pixels. */
const turnedMax = 60
const wordsMax = 5

export async function judge(given: Case): Promise<readonly Complaint[]> {
  const judged = await Promise.all([soundness(given), contents(given), words(given), pictures(given), sights(given)])
  return judged.flat()
}

/** Returns the file, and if it is damaged qpdf's repair of it: programs differ in what they read of damaged files. */
async function readingsOf({ documents }: Case, { document }: Pick<Origin, 'document'>): Promise<readonly Measured[]> {
  const measured = documents.get(document)
  if (measured === undefined) return []
  const repaired = await measured.repaired()
  return repaired === undefined ? [measured] : [measured, repaired]
}

async function soundness(given: Case): Promise<readonly Complaint[]> {
  const [before, now] = [await baseOf(given).soundness(), await given.now.soundness()]
  const worse = now.kinds.filter((kind) => !before.kinds.includes(kind))
  if (now.level <= before.level && worse.length === 0) return []
  if (now.level > 0 && before.level === 2) return []
  return [
    {
      judge: 'qpdf',
      what: 'the file has no new faults',
      expected: before.level,
      got: [now.level, ...worse.slice(0, 3)],
    },
  ]
}

async function contents(given: Case): Promise<readonly Complaint[]> {
  const { state } = given
  const [before, now] = [await baseOf(given).examined(), await given.now.examined()]
  const complaint = (what: string, expected: unknown, got: unknown) => ({ judge: 'pikepdf', what, expected, got })
  if ('error' in before) {
    const isDamaged = (await baseOf(given).soundness()).level === 2
    return isDamaged ? [] : [complaint('the file before opens', 'yes', before.error)]
  }
  if ('error' in now) return [complaint('the file opens', 'yes', now.error)]
  const complaints: Complaint[] = []
  if (now.pages !== state.pages.length) complaints.push(complaint('number of pages', state.pages.length, now.pages))
  // A stream that the judge could not decode before cannot be decoded in a copy either.
  const streamOf = (bad: string) => bad.split(' ')[0]
  const undecoded = now.bad.filter((bad) => !before.bad.map(streamOf).includes(streamOf(bad)))
  if (undecoded.length > 0)
    complaints.push(complaint('every stream can be decoded', before.bad.length, undecoded.slice(0, 3)))
  // After a file was inserted into itself, its inconsistent buttons exist once for each copy.
  if (now.strange.length > before.strange.length * Math.ceil(now.pages / before.pages))
    complaints.push(complaint('every button has an appearance for its state', before.strange, now.strange.slice(0, 3)))
  // Links to deleted pages stay, so that undo restores them.
  const dangling = now.dangling.filter((number) => ![...before.dangling, ...before.pageNumbers].includes(number))
  if (dangling.length > 0) complaints.push(complaint('every reference leads to an object', [], dangling.slice(0, 8)))
  for (const [index, { annotations, number }] of state.pages.entries()) {
    const found = now.annotations[index]
    if (annotations !== undefined && found !== undefined && annotations !== found)
      complaints.push(complaint('annotations of a page', { page: number, annotations }, found))
  }
  for (const [name, value] of state.values) {
    const found = now.fields[name]
    const isRight = value === null ? name in now.fields : value === undefined ? !(name in now.fields) : found === value
    if (!isRight) complaints.push(complaint('value of a field', { name, value }, found ?? null))
  }
  if (state.title !== undefined && now.title !== state.title)
    complaints.push(complaint('title', state.title, now.title))
  return complaints
}

async function words(given: Case): Promise<readonly Complaint[]> {
  const now = await given.now.words()
  const base = await baseOf(given).words()
  if (base === undefined) return []
  if (now === undefined) return [{ judge: 'pdftotext', what: 'the file opens', expected: 'yes', got: 'no' }]
  const complaints: Complaint[] = []
  for (const [index, page] of given.state.pages.entries()) {
    const found = now[index]
    if (page.origin === undefined || index >= now.length) continue
    const { index: place, rotation } = page.origin
    const old: Sheet = { size: page.size, rotation }
    const readings = await readingsOf(given, page.origin)
    const texts = (await Promise.all(readings.map((one) => one.words()))).flatMap((pages) =>
      pages?.[place] ? [pages[place]] : [],
    )
    if (found === undefined) {
      if (texts.length > 0)
        complaints.push({ judge: 'pdftotext', what: 'the page is found', expected: 'yes', got: index })
      continue
    }
    if (page.lossy.length > 0 && (await replaces(given, 'replacesText'))) continue
    const [lost = []] = fewest(
      texts.map((before) => missingWords(before, found).filter(({ box }) => !isWithin(box, old, page.lossy))),
    )
    const [gained = []] = fewest(
      texts.map((before) => {
        const cut = missingWords(before, found).filter(({ box }) => isWithin(box, old, page.lossy))
        const isRest = ({ text, box }: Word): boolean =>
          cut.some((one) => one.text.includes(text) && meet(onPage(one.box, old), onPage(box, page)))
        const isLeft = (one: Word): boolean => isWithin(one.box, page, page.touched) || isRest(one)
        return missingWords(found, before).filter((one) => !isLeft(one))
      }),
    )
    const report = (what: string, list: readonly Word[]) =>
      list.length > 0 &&
      complaints.push({
        judge: 'pdftotext',
        what,
        expected: { page: index },
        got: list.slice(0, wordsMax).map(({ text }) => text),
      })
    report('no words disappear', lost)
    report('no words appear', gained)
  }
  return complaints
}

const fewest = <Item>(lists: readonly (readonly Item[])[]): readonly (readonly Item[])[] =>
  lists.toSorted((one, other) => one.length - other.length)

const isWithin = (seen: Box, sheet: Sheet, boxes: readonly Box[]): boolean =>
  boxes.some((box) => meet(grown(box), onPage(seen, sheet)))

async function pictures(given: Case): Promise<readonly Complaint[]> {
  const { state, lookedAt, looksLike } = given
  const isTouched = ({ number }: PageState): boolean => lookedAt.includes(number)
  const other = state.pages.find((page) => !isTouched(page) && page.origin !== undefined)
  const pages = [...state.pages.filter(isTouched).slice(0, 3), ...(other ? [other] : [])]
  const complaints: Complaint[] = []
  for (const page of pages) {
    const index = state.pages.indexOf(page)
    for (const program of ['poppler', 'mutool'] as const) {
      const complain = (what: string, got: unknown) =>
        complaints.push({ judge: program, what, expected: { page: page.number, index }, got })
      const now = await given.now[program](index)
      const befores = await picturesOf(given, page, program)
      if (befores.length === 0 || page.origin === undefined) continue
      // A program that cannot draw any page of a damaged file cannot draw inserted pages either.
      if (now === undefined && (await baseOf(given)[program](0)) === undefined) continue
      if (now === undefined) complain('a page is drawn', 'no picture')
      else if (page.isRedrawn) {
        const without = page.touched.map((box) => inPixels(box, page, now))
        const quarters = (page.rotation - page.origin.rotation) / 90
        const differences = befores.map((before) => coarseDifference(turned(before, quarters), now, { without }))
        const difference = Math.min(...differences)
        if (difference > turnedMax) complain('the page looks as before, apart from rotation', Math.round(difference))
      } else {
        const ways = program === 'mutool' ? page.signing : []
        const boxes = [...page.touched, ...ways].map((box) => inPixels(grown(box), page, now))
        const [least] = befores
          .map((before) => differenceOutside(before, now, boxes))
          .toSorted((one, other) => one.pixels - other.pixels)
        const most = page.lossy.length > 0 ? now.width * now.height * recodedShareMax : pixelsMax
        if (least !== undefined && least.pixels > most)
          complain('pixels outside changed regions stay', { ...least, of: [now.width, now.height] })
      }
      if (looksLike !== undefined && now !== undefined && isTouched(page)) {
        const last = await looksLike.file[program](index)
        // If the programs drew the page differently before the op, either picture is accepted.
        const other = await looksLike.file[program === 'poppler' ? 'mutool' : 'poppler'](index)
        const without = (looksLike.without[program].get(page.number) ?? []).map((box) => inPixels(box, page, now))
        const difference =
          last === undefined ? 0 : coarseDifference(last, now, { without, ...(other && { or: other }) })
        if (difference > coarseMax) complain('the page looks as before the op', Math.round(difference))
      }
    }
  }
  return complaints
}

async function picturesOf(given: Case, { origin }: PageState, program: 'poppler' | 'mutool') {
  if (origin === undefined) return []
  const readings = await readingsOf(given, origin)
  const drawn = await Promise.all(readings.map((one) => one[program](origin.index)))
  return drawn.flatMap((picture) => picture ?? [])
}
