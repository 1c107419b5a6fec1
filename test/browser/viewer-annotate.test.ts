// Annotations that people make in a browser: where they point, as the server stores them; and redaction from mark to proof.
import t, { type Test } from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { hasMark } from './in-page.js'
import { boxesAtRest, bugsIn, button, everything, pageKinds, pagesOfEveryKind, show } from './viewer-page.js'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Match {
  readonly page: { readonly objectNumber: number }
  readonly segments: readonly { readonly rect: Box }[]
}

t.test('annotations of a browser', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const { api, url } = server
  const start = async (t: Test, scope = everything) => {
    const docId = await server.upload(pagesOfEveryKind())
    const layer = `/v1/docs/${docId}/layers/default`
    const window = await openWindow(t, browser, { viewport: { width: 1280, height: 900 } })
    const token = await server.documentToken(docId, scope, { userId: 'ada', displayName: 'Ada' })
    await show(window.page, `${url}/view/${docId}#token=${token}`)
    const annotations = async () =>
      (await api.get(`${layer}/annotations/items`).then(done)).at('/annotations') as {
        subtype: string
        contents: string | null
        author: string
        rect: Box
        page: { objectNumber: number }
      }[]
    return { ...window, docId, layer, annotations }
  }
  const number = 'Page, of 6'

  await t.test('a rectangle is stored where it was drawn, on pages of every kind', async (t) => {
    const { page, layer, annotations, complaints } = await start(t)
    const search = async (rest: string) => done(await api.get(`${layer}/search/rects/data${rest}`))
    const found: Match[] = []
    // On a busy machine a slice may be short.
    for (let slice = await search('?q=Needle'); ; slice = await search(`@${slice.word('/nextCursor')}`)) {
      found.push(...(slice.at('/matches') as Match[]))
      if (slice.at('/nextCursor') === null) break
    }
    t.equal(found.length, pageKinds.length)
    for (const [index, match] of found.entries()) {
      await page.getByLabel(number).fill(String(index + 1))
      await page.keyboard.press('Enter')
      const view = page.locator(`.page[data-page="${index + 1}"]`)
      await view.locator('img').first().waitFor()
      await button(page, 'Search').click()
      await page.getByLabel('Text to search for').fill('Needle')
      await page.getByText(`1 of ${found.length}`).waitFor()
      for (let step = 0; step < index; step++) await button(page, 'Next result').click()
      await eventually(async () => page.evaluate(hasMark(index + 1)))
      // The active mark lies on the word as the reader sees it.
      const { mark: word } = await boxesAtRest(page, index + 1)
      await button(page, 'Draw a rectangle').click()
      await page.mouse.move(word.x - 4, word.y - 4)
      await page.mouse.down()
      await page.mouse.move(word.x + word.width / 2, word.y + word.height / 2)
      await page.mouse.move(word.x + word.width + 4, word.y + word.height + 4)
      await page.mouse.up()
      await eventually(async () => (await annotations()).length === index + 1)
      await button(page, 'Close').click()
      const made = (await annotations()).find((one) => one.page.objectNumber === match.page.objectNumber)
      const rect = match.segments[0]?.rect
      t.ok(made && rect && encloses(made.rect, rect), `page ${index + 1}: ${JSON.stringify([made?.rect, rect])}`)
    }
    t.same(bugsIn(complaints), [])
  })

  await t.test('notes and drawings are made, changed and taken back', async (t) => {
    const { page, annotations } = await start(t)
    const box = await page.locator('.page[data-page="1"]').boundingBox()
    if (box === null) throw new Error('The first page is shown')
    await button(page, 'Put a note on a page').click()
    await page.mouse.click(box.x + 60, box.y + 60)
    await page.getByLabel('Comment', { exact: true }).fill('Look here')
    await button(page, 'Save').click()
    await eventually(async () => (await annotations()).length === 1)
    const [note] = await annotations()
    t.match(note, { subtype: 'text', contents: 'Look here', author: 'Ada' })
    await page.getByRole('tab', { name: 'Comments' }).click()
    await button(page, 'Edit').click()
    await page.getByLabel('Comment', { exact: true }).fill('Look there')
    await button(page, 'Save').click()
    await page.locator('.comment').getByText('Look there').waitFor()
    await button(page, 'Undo').click()
    await page.locator('.comment').getByText('Look here').waitFor()

    await button(page, 'Draw by hand').click()
    await page.mouse.move(box.x + 100, box.y + 120)
    await page.mouse.down()
    for (let step = 1; step <= 10; step++) await page.mouse.move(box.x + 100 + 10 * step, box.y + 120 + 5 * (step % 2))
    await page.mouse.up()
    await eventually(async () => (await annotations()).some(({ subtype }) => subtype === 'ink'))
    await button(page, 'Undo').click()
    await eventually(async () => (await annotations()).length === 1)
  })

  await t.test('a note is saved by keyboard, and kept when the reader goes on with something else', async (t) => {
    const { page, annotations } = await start(t)
    const box = await page.locator('.page[data-page="1"]').boundingBox()
    if (box === null) throw new Error('The first page is shown')
    const written = async () => (await annotations()).map(({ contents }) => contents)
    const write = async (contents: string) => {
      await button(page, 'Put a note on a page').click()
      await page.mouse.click(box.x + 60, box.y + 60)
      await page.getByLabel('Comment', { exact: true }).fill(contents)
    }
    await write('By keyboard')
    await page.keyboard.press('Control+Enter')
    await eventually(async () => (await written()).includes('By keyboard'))
    await write('Dropped')
    await page.keyboard.press('Escape')
    await page.getByLabel('Comment', { exact: true }).waitFor({ state: 'detached' })
    // The tool is still chosen.
    await page.mouse.click(box.x + 60, box.y + 60)
    await page.getByLabel('Comment', { exact: true }).fill('Left')
    await button(page, 'Draw a rectangle').click()
    await page.mouse.move(box.x + 200, box.y + 200)
    await page.mouse.down()
    await page.mouse.move(box.x + 300, box.y + 260)
    await page.mouse.up()
    await eventually(async () => (await annotations()).length === 3)
    t.same(new Set(await written()), new Set(['By keyboard', 'Left', null]))
  })

  await t.test('text that is marked for redaction and redacted is gone', async (t) => {
    const { page, layer } = await start(t)
    await page.locator('.page[data-page="1"] img').first().waitFor()
    await button(page, 'Search').click()
    await page.getByLabel('Text to search for').fill('Needle')
    await page.getByText('1 of 6').waitFor()
    await eventually(async () => page.evaluate(hasMark(1)))
    const { mark: word } = await boxesAtRest(page, 1)
    await page.mouse.dblclick(word.x + word.width / 2, word.y + word.height / 2)
    await button(page, 'Mark the selected text for redaction').click()
    await page.getByRole('tab', { name: 'Comments' }).click()
    await button(page, 'Redact what is marked (1)').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Redact', exact: true }).click()
    const text = async () => (await api.get(`${layer}/text/pages/obj:10/data`).then(done)).at('/text')
    await eventually(async () => !String(await text()).includes('Needle'))
    await page.getByText('Nobody has commented yet.').waitFor()
    t.ok(await button(page, 'Undo').isDisabled())
  })

  await t.test('nothing of it is offered to readers, nor redaction to those who only comment', async (t) => {
    const reader = await start(t, ['doc.open', 'doc.render', 'doc.text.select', 'doc.annotate.read'])
    t.equal(await button(reader.page, 'Draw by hand').count(), 0)
    const more = ['doc.open', 'doc.render', 'doc.text.select', 'doc.annotate.read', 'doc.annotate.modify']
    const commenter = await start(t, more)
    t.equal(await button(commenter.page, 'Draw by hand').count(), 1)
    t.equal(await button(commenter.page, 'Mark the selected text for redaction').count(), 0)
  })
})

/** True if the box holds the other, and is not much larger. */
const encloses = (box: Box, inner: Box): boolean => {
  const slack = 0.15 * Math.max(inner.width, inner.height)
  const inside =
    box.x <= inner.x + slack &&
    box.y <= inner.y + slack &&
    box.x + box.width >= inner.x + inner.width - slack &&
    box.y + box.height >= inner.y + inner.height - slack
  return inside && box.width < 3 * inner.width && box.height < 4 * inner.height
}
