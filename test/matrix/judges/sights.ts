// Compares regions that were changed, or that must show something, in our pictures and in those of other programs.
import { type Box, inPixels, meet, middleOf } from '../boxes.js'
import type { PageState, Shown } from '../state.js'
import { type Case, type Complaint, replaces } from './case.js'
import { coarseDifference, meanColour, type PixelBox } from './pictures.js'

/** Maximum difference between two renderers, which draw edges and fonts differently. */
const colourMax = 70
/** Side length, in pixels, below which the colour of a box mixes with its surroundings. */
const thinPixels = 8

/** Compares our pictures of untouched annotations with those of two other renderers: one of them must match. */
export async function looks(
  { now, ours }: Pick<Case, 'now' | 'ours'>,
  { index, page, boxes }: { readonly index: number; readonly page: PageState; readonly boxes: readonly Box[] },
): Promise<readonly Complaint[]> {
  const [poppler, mutool] = [await now.poppler(index), await now.mutool(index)]
  const own = poppler && (await ours(page.number, page, poppler.width))
  if (poppler === undefined || mutool === undefined || own === undefined) return []
  return boxes.flatMap((box) => {
    const within = [inPixels(box, page, poppler)]
    const apart = [poppler, mutool].map((theirs) => coarseDifference(theirs, own, { within }, 12))
    if (apart.some((difference) => difference <= colourMax)) return []
    return [
      {
        judge: 'our picture',
        what: 'an annotation looks like that of poppler or mutool',
        expected: { page: page.number, box },
        got: apart.map(Math.round),
      },
    ]
  })
}

/** Checks what must be visible, and compares our pictures with others where something was changed. */
export async function sights(given: Case): Promise<readonly Complaint[]> {
  const { state, now } = given
  const complaints: Complaint[] = []
  for (const shown of state.shows) complaints.push(...(await sight(given, shown)))
  for (const [index, page] of state.pages.entries()) {
    if (!given.lookedAt.includes(page.number) || page.touched.length === 0 || page.touched.length > 20) continue
    const theirs = await now.poppler(index)
    const ours = theirs && (await given.ours(page.number, page, theirs.width))
    if (theirs === undefined || ours === undefined) continue
    // On a narrow page, a width rounded up by one pixel makes the picture much taller.
    if (Math.abs(theirs.height - ours.height) > 1) continue
    const boxes = page.touched.map((box) => inPixels(box, page, theirs))
    const difference = coarseDifference(theirs, ours, { within: boxes }, 12)
    const accepted = page.origin && (await differenceOfOthers(given, page, boxes))
    if (difference > colourMax && (accepted ?? 0) < colourMax / 2)
      complaints.push({
        judge: 'our picture',
        what: 'changed regions look like those of poppler',
        expected: { page: page.number },
        got: Math.round(difference),
      })
  }
  return complaints
}

/** Returns the largest difference between poppler and mutool: they substitute different fonts for missing ones. */
async function differenceOfOthers(given: Case, page: PageState, boxes: readonly Parameters<typeof meanColour>[1][]) {
  const index = given.state.pages.indexOf(page)
  const [one, other] = [await given.now.poppler(index), await given.now.mutool(index)]
  return one && other ? coarseDifference(one, other, { within: boxes }, 12) : undefined
}

/** Tells whether the box is so thin that its colour mixes with its surroundings. */
const isThin = ({ left, top, right, bottom }: PixelBox): boolean => Math.min(right - left, bottom - top) < thinPixels

async function sight(given: Case, { number, box, color, word, lacks }: Shown): Promise<readonly Complaint[]> {
  const index = given.state.pages.findIndex((page) => page.number === number)
  const page = given.state.pages[index]
  if (page === undefined) return []
  const complaints: Complaint[] = []
  const complain = (judge: string, what: string, expected: unknown, got: unknown) =>
    complaints.push({ judge, what, expected, got })
  const isReplaced = color !== undefined && (await replaces(given, 'replacesColors'))
  if (color !== undefined && !isReplaced) {
    const theirs = await given.now.poppler(index)
    const drawn = {
      poppler: theirs,
      mutool: await given.now.mutool(index),
      'our picture': theirs && (await given.ours(number, page, theirs.width)),
    }
    for (const [judge, picture] of Object.entries(drawn)) {
      const isUnder = judge === 'mutool' && page.signing.some((signed) => meet(signed, middleOf(box)))
      if (picture === undefined || isUnder) continue
      const place = inPixels(middleOf(box), page, picture)
      if (isThin(inPixels(box, page, picture))) continue
      const mean = meanColour(picture, place).map(Math.round)
      if (mean.some((value, channel) => Math.abs(value - (color[channel] ?? 0)) > colourMax))
        complain(judge, 'the region has the colour', { page: number, box, color }, mean)
    }
  }
  const found = (await given.now.words())?.[index]?.map(({ text }) => text)
  if (found === undefined) return complaints
  if (word !== undefined && !found.some((text) => text.includes(word)))
    complain('pdftotext', 'the word is on the page', word, 'it is not')
  if (lacks !== undefined && found.includes(lacks)) complain('pdftotext', 'the word is not on the page', lacks, 'it is')
  return complaints
}
