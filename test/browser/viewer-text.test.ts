import t, { type Test } from 'tap'
import { runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { clipboardText, hasMark } from './in-page.js'
import { boxesAtRest, inkOf, pageKinds, pagesOfEveryKind, searchField, share, show } from './viewer-page.js'

t.test('the text of a document in a browser', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const { url } = server
  const open = (t: Test, options = {}) => openWindow(t, browser, options)
  const plain = await server.upload(pagesOfEveryKind())

  await t.test('marks of a search cover the text, however the page is turned, cut and scaled', async (t) => {
    const { page, complaints } = await open(t)
    await show(page, `${url}/s/${await share(server, plain)}`)
    await page.keyboard.press('Control+f')
    await searchField(page).fill('needle')
    for (const [index] of pageKinds.entries()) {
      await page.getByText(`${index + 1} of ${pageKinds.length}`, { exact: true }).waitFor()
      await eventually(async () => page.evaluate(hasMark(index + 1)))
      const { inMark, inAll } = await inkOf(page, index + 1)
      t.ok(inAll > 50, `page ${index + 1} shows the word`)
      t.ok(inMark / inAll > 0.97, `page ${index + 1}: ${inMark} of ${inAll} dark pixels are marked`)
      await page.keyboard.press('Enter')
    }
    await searchField(page).fill('needlex')
    await page.getByText('Not found').waitFor()
    t.same(complaints, [])
  })

  await t.test('text is selected and copied', async (t) => {
    const { page } = await open(t, { permissions: ['clipboard-read', 'clipboard-write'] })
    await show(page, `${url}/s/${await share(server, plain)}`)
    await page.keyboard.press('Control+f')
    await searchField(page).fill('needle')
    await eventually(async () => page.evaluate(hasMark(1)))
    const { mark } = await boxesAtRest(page, 1)
    await page.mouse.dblclick(mark.x + mark.width / 2, mark.y + mark.height / 2)
    await page.keyboard.press('Control+c')
    await t.resolves(eventually(async () => (await page.evaluate(clipboardText)) === 'Needle'))
  })

  await t.test('a hostile document runs nothing', async (t) => {
    const docId = await server.upload(hostile)
    const { page, requested, complaints } = await open(t)
    await show(page, `${url}/s/${await share(server, docId)}`)
    await page.getByRole('tab', { name: 'Bookmarks' }).click()
    await page.getByText(script).first().waitFor()
    t.equal(await page.getByRole('link').count(), 0, 'no bookmark leads to a script or a file')
    for (const entry of await page.locator('.bookmarks .link, .bookmarks span').all()) await entry.click()
    await page.keyboard.press('Control+f')
    await searchField(page).fill(script)
    await page.getByText('1 of 1').waitFor()
    t.equal(await page.evaluate('globalThis.ran'), undefined)
    t.same(complaints, [])
    t.notOk(requested.some((address) => address.includes('evil')))
  })
})

const script = '<img src=x onerror="globalThis.ran=1">'

/** A document with scripts in every text and target that the page shows. */
const hostile = ((): Buffer => {
  const titles = [
    ['<</S/URI/URI(javascript:globalThis.ran=2)>>', 20],
    ['<</S/JavaScript/JS(app.alert\\(1\\))>>', 21],
    ['<</S/Launch/F(/bin/sh)>>', 22],
    ['<</S/GoToR/F(http://evil.example/x.pdf)/D[0/Fit]>>', 23],
    ['<</S/URI/URI(data:text/html,<script>globalThis.ran=3</script>)>>', 24],
  ] as const
  return onePage(`BT /F1 12 Tf 20 100 Td (${script}) Tj ET`, {
    resources: '/Font <</F1 <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>',
    page: '/AA <</O <</S/JavaScript/JS(globalThis.ran=4)>>>>',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/Outlines 19 0 R/OpenAction <</S/JavaScript/JS(globalThis.ran=5)>>>>',
      19: '<</Type/Outlines/First 20 0 R/Last 24 0 R/Count 5>>',
      ...Object.fromEntries(
        titles.map(([action, number]) => [
          number,
          `<</Title(${script})/Parent 19 0 R/A ${action}${number > 20 ? `/Prev ${number - 1} 0 R` : ''}${number < 24 ? `/Next ${number + 1} 0 R` : ''}>>`,
        ]),
      ),
    },
  })
})()
