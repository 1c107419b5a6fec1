// Annotations that are moved and resized in a browser: where they end, whatever else happens meanwhile.
import t, { type Test } from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { bugsIn, everything, pageKinds, pagesOfEveryKind, show } from './viewer-page.js'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Stored extends Readonly<Record<string, unknown>> {
  readonly rect: Box
  readonly subtype: string
  readonly contents: string | null
}

t.test('annotations that are moved in a browser', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const { api, url } = server
  const start = async (t: Test) => {
    const docId = await server.upload(pagesOfEveryKind())
    const layer = `/v1/docs/${docId}/layers/default`
    const window = await openWindow(t, browser, { viewport: { width: 1280, height: 900 } })
    const token = await server.documentToken(docId, everything, { userId: 'ada', displayName: 'Ada' })
    await show(window.page, `${url}/view/${docId}#token=${token}`)
    const add = async (draft: object, page = 10) =>
      done(await api.post(`${layer}/annotations/pages/obj:${page}/items`, draft))
    const stored = async (page = 10) =>
      (await api.get(`${layer}/annotations/pages/obj:${page}/items`).then(done)).at('/annotations') as Stored[]
    return { ...window, layer, add, stored }
  }
  const square = (rect: Box, more = {}) => ({ subtype: 'square', rect, color: '#d1242f', strokeWidth: 2, ...more })
  const middle = ({ x, y, width, height }: Box) => [x + width / 2, y + height / 2] as const
  const near = (one: number, other: number, by = 1.5) => Math.abs(one - other) <= by

  await t.test('the pointer and the keys move it as the reader sees it, on pages of every kind', async (t) => {
    const { page, add, stored, complaints } = await start(t)
    for (const [index] of pageKinds.entries()) {
      const number = 10 + 2 * index
      await add(square({ x: 100, y: 120, width: 60, height: 30 }), number)
      await page.getByLabel('Page, of 6').fill(String(index + 1))
      await page.keyboard.press('Enter')
      const frame = page.locator(`.page[data-page="${index + 1}"] .place-frame`)
      await frame.waitFor({ state: 'attached' })
      const onScreen = async () => (await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const isAt = (wanted: Box) => async () => {
        const now = await onScreen()
        return (['x', 'y', 'width', 'height'] as const).every((side) => near(now[side], wanted[side]))
      }
      /** The place is that of the server, and not only of the frame. */
      const isStored = (before: string) => async () => JSON.stringify((await stored(number))[0]?.rect) !== before
      const first = await onScreen()
      const before = JSON.stringify((await stored(number))[0]?.rect)
      const [x, y] = middle(first)
      await page.mouse.click(x, y)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x + 12, y + 7)
      await page.mouse.move(x + 24, y + 15)
      await page.mouse.up()
      await eventually(isStored(before))
      await eventually(isAt({ ...first, x: first.x + 24, y: first.y + 15 }))
      const [between] = await stored(number)
      const unit = Math.sqrt((first.width * first.height) / ((between?.rect.width ?? 1) * (between?.rect.height ?? 1)))
      await frame.getByRole('button').first().focus()
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight']) await page.keyboard.press(key)
      await eventually(isStored(JSON.stringify(between?.rect)))
      const last = { x: first.x + 24 + 4 * unit, y: first.y + 15 + 2 * unit, width: first.width + 2 * unit }
      await eventually(isAt({ ...first, ...last }))
    }
    t.same(bugsIn(complaints), [])
  })

  await t.test('lines, drawings and notes keep their form when they are moved; a corner stretches them', async (t) => {
    const { page, add, stored: read, complaints } = await start(t)
    const drafts = [
      { subtype: 'line', linePoints: { start: { x: 50, y: 60 }, end: { x: 150, y: 110 } } },
      {
        subtype: 'ink',
        inkList: [
          [
            { x: 50, y: 160 },
            { x: 90, y: 220 },
            { x: 150, y: 180 },
          ],
        ],
      },
      {
        subtype: 'polygon',
        vertices: [
          { x: 50, y: 260 },
          { x: 150, y: 260 },
          { x: 90, y: 330 },
        ],
      },
      { subtype: 'free-text', rect: { x: 200, y: 60, width: 90, height: 40 }, contents: 'Words' },
      { subtype: 'text', rect: { x: 200, y: 160, width: 20, height: 20 }, contents: 'Note' },
    ]
    for (const draft of drafts) await add(draft)
    const frames = page.locator('.page[data-page="1"] .place-frame')
    await eventually(async () => (await frames.count()) === drafts.length)
    const before = await read()
    for (let index = 0; index < drafts.length; index++) {
      const frame = frames.nth(index)
      await frame.getByRole('button').first().focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowDown')
      await eventually(
        async () => Math.abs(((await read())[index]?.rect.x ?? 0) - (before[index]?.rect.x ?? 0) - 2) < 0.01,
      )
      const box = await frame.boundingBox()
      if (box === null) throw new Error('The frame is shown')
      if (drafts[index]?.subtype === 'text') {
        t.equal(await frame.locator('.place-corner').count(), 0, 'an icon has one size')
        continue
      }
      await page.mouse.move(box.x + box.width, box.y + box.height)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 1.5, box.y + box.height * 1.5)
      await page.mouse.up()
      const width = before[index]?.rect.width ?? 0
      await eventually(async () => ((await read())[index]?.rect.width ?? 0) > width * 1.3)
    }
    const [line, ink, polygon] = await read()
    t.match(line, { linePoints: { start: { x: Number, y: Number } } })
    t.match(ink, { inkList: [[{}, {}, {}]] })
    t.match(polygon, { vertices: [{}, {}, {}] })
    t.same(bugsIn(complaints), [])
  })

  await t.test('what others do meanwhile does not end a move', async (t) => {
    const { page, layer, add, stored } = await start(t)
    await add(square({ x: 100, y: 120, width: 60, height: 30 }))
    const frame = page.locator('.page[data-page="1"] .place-frame').first()
    await frame.waitFor({ state: 'attached' })
    const [x, y] = middle((await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 })
    const before = (await stored())[0]?.rect.x ?? 0
    await page.mouse.click(x, y)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 40, y)
    await add(square({ x: 10, y: 10, width: 20, height: 20 }))
    await eventually(async () => (await page.locator('.page[data-page="1"] .place-frame').count()) === 2)
    await page.mouse.up()
    await eventually(async () => ((await stored())[0]?.rect.x ?? 0) > before + 20)
    const moved = (await stored())[0]?.rect.x ?? 0
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
    await add(square({ x: 40, y: 10, width: 20, height: 20 }))
    await eventually(async () => (await page.locator('.page[data-page="1"] .place-frame').count()) === 3)
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
    await eventually(async () => near((await stored())[0]?.rect.x ?? 0, moved + 20, 0.1))
    // Somebody who moves the same one is not overruled.
    await page.mouse.move(x + 60, y)
    const other = (await stored())[0]?.['ref']
    await page.mouse.down()
    await page.mouse.move(x + 90, y)
    const rect = { x: 200, y: 300, width: 50, height: 50 }
    const change = { opId: 'other', ops: [{ type: 'annotations.update', ref: other, patch: { rect } }] }
    done(await api.post(`${layer}/changes`, { changes: [change] }))
    await eventually(async () => near((await stored())[0]?.rect.y ?? 0, 300, 0.1))
    await page.mouse.up()
    await page.getByText('Somebody has changed this meanwhile.').waitFor()
    t.ok(near((await stored())[0]?.rect.y ?? 0, 300, 0.1))
  })

  await t.test('what others do between two moves is not overruled, though the first was not read back', async (t) => {
    const { page, layer, add, stored } = await start(t)
    const added = await add(square({ x: 100, y: 120, width: 60, height: 30 }))
    const frame = page.locator('.page[data-page="1"] .place-frame').first()
    await frame.waitFor({ state: 'attached' })
    let readOn = () => {}
    const held = new Promise<void>((resolve) => {
      readOn = resolve
    })
    await page.route('**/annotations/pages/**', (route) => held.then(() => route.continue()))
    const [x, y] = middle((await frame.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 })
    await page.mouse.click(x, y)
    const before = (await stored())[0]?.rect.x ?? 0
    const drag = async (from: number, to: number) => {
      await page.mouse.move(from, y)
      await page.mouse.down()
      await page.mouse.move(to, y)
    }
    for (const step of [0, 40]) {
      await drag(x + step, x + step + 40)
      await page.mouse.up()
    }
    await eventually(async () => ((await stored())[0]?.rect.x ?? 0) > before + 50)
    await drag(x + 80, x + 120)
    const rect = { x: 200, y: 300, width: 50, height: 50 }
    const op = { type: 'annotations.update', ref: added.at('/annotation/ref'), patch: { rect } }
    done(await api.post(`${layer}/changes`, { changes: [{ opId: 'other', ops: [op] }] }))
    await page.mouse.up()
    await page.getByText('Somebody has changed this meanwhile.').waitFor()
    t.ok(near((await stored())[0]?.rect.y ?? 0, 300, 0.1))
    readOn()
  })

  await t.test('a move that ends on another annotation keeps the chosen one; replies have no frame', async (t) => {
    const { page, add, stored } = await start(t)
    const big = await add(square({ x: 60, y: 60, width: 260, height: 260 }, { contents: 'big' }))
    await add(square({ x: 80, y: 80, width: 30, height: 30 }, { contents: 'small' }))
    const reply = { to: big.at('/annotation/ref'), type: 'reply' }
    await add({ subtype: 'text', rect: { x: 200, y: 200, width: 20, height: 20 }, contents: 'reply', reply })
    const frames = page.locator('.page[data-page="1"] .place-frame')
    await eventually(async () => (await frames.count()) === 2)
    const [x, y] = middle((await frames.nth(1).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 })
    await page.mouse.click(x, y)
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 80, y + 50)
    await page.keyboard.press('Escape')
    await page.mouse.up()
    t.match((await stored())[1], { contents: 'small', rect: { x: 80 } }, 'Escape takes it back')
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 80, y + 50)
    await page.mouse.up()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await eventually(async () => (await stored()).length === 2)
    t.same(
      (await stored()).map(({ contents }) => contents),
      ['big', 'reply'],
    )
    // Steps by key are undone as one, at once, and are stored when the page is left.
    await frames.first().getByRole('button').first().focus()
    const at = (await stored())[0]?.rect.x ?? 0
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Control+z')
    await page.waitForTimeout(1_500)
    t.ok(near((await stored())[0]?.rect.x ?? 0, at, 0.1), 'undone')
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight')
    await page.reload()
    await eventually(async () => near((await stored())[0]?.rect.x ?? 0, at + 6, 0.1))
    await page.locator('.page img').first().waitFor()
    await eventually(async () => (await frames.count()) === 1)
    const box = (await frames.first().boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.click(box.x + box.width - 6, box.y + 6)
    await page.mouse.down()
    await page.mouse.move(4, 4)
    await page.mouse.up()
    await eventually(async () => ((await stored())[0]?.rect.x ?? 0) < 0)
    const { rect = box } = (await stored())[0] ?? {}
    t.ok(rect.x + rect.width > 5 && rect.y + rect.height > 5, `a part of it stays on the page: ${JSON.stringify(rect)}`)
  })
})
