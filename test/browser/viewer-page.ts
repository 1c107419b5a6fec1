// Shared parts of the tests of the page of a document: documents, links to them, and what a person sees of them.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { done, type Running } from '../server/support/running-server.js'
import { rawPdf } from '../support/pdf/raw-pdf.js'
import { bare, boxes } from './in-page.js'

export const reading = ['doc.open', 'doc.render', 'doc.text.select', 'doc.text.copy', 'doc.text.search']
export const everything = ['*']

/** How a page is turned, cut and scaled: entries of its dictionary. */
export const pageKinds = [
  '',
  '/Rotate 90',
  '/Rotate 180 /CropBox [50 100 350 400]',
  '/Rotate 270 /CropBox [20 80 300 420]',
  '/UserUnit 1.5',
  '/MediaBox [-100 -50 300 450] /Rotate 90 /UserUnit 2',
]

/** A document with a page of each kind. The word is the only thing on a page. */
export function pagesOfEveryKind(word = 'Needle'): Buffer {
  const numbers = pageKinds.map((_, index) => 10 + 2 * index)
  const pages = pageKinds.flatMap((entries, index) => {
    const number = numbers[index] ?? 0
    const box = entries.includes('MediaBox') ? '' : '/MediaBox [0 0 400 500]'
    return [
      [number, `<</Type/Page/Parent 2 0 R ${box} ${entries} /Contents ${number + 1} 0 R>>`],
      [number + 1, { body: '<<>>', stream: `BT /F1 20 Tf 120 ${200 + 10 * index} Td (${word}) Tj ET` }],
    ] as const
  })
  return rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: `<</Type/Pages/Kids [${numbers.map((one) => `${one} 0 R`).join(' ')}]/Count ${numbers.length}/Resources <</Font <</F1 3 0 R>>>>>>`,
    3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...Object.fromEntries(pages),
  })
}

export const share = async ({ api }: Running, docId: string, more: object = {}) =>
  done(await api.post('/v1/tenants/acme/shares', { docId, scope: everything, ...more })).word('/share/id')

/** Opens the address, and waits until the page shows a picture. */
export async function show(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('.page img').first().waitFor()
}

export const pageCount = (page: Page) => page.locator('.page-number span').textContent()
export const dialog = (page: Page) => page.getByRole('dialog')
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** A read of a version that was replaced at that moment is refused, and made again with the next; so is a picture. */
export const bugsIn = (complaints: readonly string[]) =>
  complaints.filter((one) => !/status of 404|ERR_FILE_NOT_FOUND/.test(one))
export const searchField = (page: Page) => page.getByLabel('Text to search for')
export const heading = (page: Page) => page.getByRole('heading').textContent()

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Ink {
  /** Number of dark pixels of the visible part of a page. */
  readonly inAll: number
  /** Number of those in the active mark of a search. */
  readonly inMark: number
}

export async function inkOf(page: Page, number: number): Promise<Ink> {
  await page.locator(`.page[data-page="${number}"] img`).first().waitFor()
  const { mark, clip } = await boxesAtRest(page, number)
  await page.evaluate(bare(number))
  const shot = await page.screenshot({ clip })
  const { data, info } = await sharp(shot).greyscale().raw().toBuffer({ resolveWithObject: true })
  const dark = [...data].flatMap((value, index) =>
    value > 128 ? [] : [{ x: clip.x + (index % info.width), y: clip.y + Math.floor(index / info.width) }],
  )
  return { inAll: dark.length, inMark: dark.filter((at) => isIn(mark, at)).length }
}

/** Waits until the page does not scroll any more. */
export async function boxesAtRest(page: Page, number: number): Promise<{ readonly mark: Box; readonly clip: Box }> {
  let before = ''
  for (;;) {
    const now = String(await page.evaluate(boxes(number)))
    if (now === before) return JSON.parse(now)
    before = now
    await page.waitForTimeout(200)
  }
}

/** Letters may reach a pixel further. */
const isIn = ({ x, y, width, height }: Box, at: { readonly x: number; readonly y: number }): boolean =>
  at.x >= x - 1 && at.x <= x + width + 1 && at.y >= y - 1 && at.y <= y + height + 1
