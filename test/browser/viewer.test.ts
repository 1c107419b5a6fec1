import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { needs } from '../support/pdf/judges.js'
import { lockedPdf } from '../support/pdf/locked-pdf.js'
import { rawPdf } from '../support/pdf/raw-pdf.js'
import { countSheets, focused, widths } from './in-page.js'
import {
  button,
  everything,
  heading,
  pageCount,
  pageKinds,
  pagesOfEveryKind,
  reading,
  share,
  show,
} from './viewer-page.js'

t.test('the page of a document in a browser', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const { api, url } = server
  const open = (t: Test, options = {}) => openWindow(t, browser, options)
  const plain = await server.upload(pagesOfEveryKind())

  await t.test('a share shows the document, from this server alone', async (t) => {
    const { page, requested, complaints } = await open(t)
    await show(page, `${url}/s/${await share(server, plain)}`)
    t.equal(await pageCount(page), `/ ${pageKinds.length}`)
    await page.locator('.thumbnail img').first().waitFor()
    const foreign = requested.filter((address) => ![url, `blob:${url}`, 'data:'].some((own) => address.startsWith(own)))
    t.same(foreign, [])
    t.notOk(
      requested.some((address) => address.endsWith('/download')),
      'the file stays on the server',
    )
    t.same(complaints, [])
  })

  await t.test('what the token may not do is not offered', async (t) => {
    for (const [scope, names] of [
      [reading, ['Search']],
      [['doc.open', 'doc.render', 'doc.print'], ['Print']],
      [everything, ['Search', 'Print', 'Download']],
    ] as const) {
      const { page, complaints } = await open(t)
      await show(page, `${url}/view/${plain}#token=${await server.documentToken(plain, scope)}`)
      for (const name of ['Search', 'Print', 'Download']) {
        t.equal(await button(page, name).count(), names.includes(name as never) ? 1 : 0, `${scope}: ${name}`)
      }
      t.notMatch(page.url(), 'token', 'the token is out of the address')
      await page.reload()
      await page.locator('.page img').first().waitFor()
      t.same(complaints, [])
    }
  })

  await t.test('the download is the file, and paper gets every page', async (t) => {
    const { page } = await open(t)
    await page.addInitScript(countSheets)
    await show(page, `${url}/s/${await share(server, plain)}`)
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()])
    t.equal(download.suggestedFilename(), `${plain}.pdf`)
    t.same(readFileSync(await download.path()), done(await api.get(`/v1/docs/${plain}/layers/default/download`)).bytes)
    await button(page, 'Print').click()
    await t.resolves(eventually(async () => (await page.title()) === `${pageKinds.length} sheets`))
  })

  await t.test('an encrypted document asks for its password', needs('qpdf'), async (t) => {
    const locked = await server.upload(lockedPdf(t, pagesOfEveryKind(), { user: 'sesame', owner: 'owner' }))
    const { page } = await open(t)
    await page.goto(`${url}/s/${await share(server, locked)}`)
    const password = page.getByLabel('Password')
    await password.fill('wrong')
    await password.press('Enter')
    await page.getByText('This password does not open the document.').waitFor()
    await page.getByLabel('Password').fill('sesame')
    await button(page, 'Open').click()
    await page.locator('.page img').first().waitFor()
    t.equal(await pageCount(page), `/ ${pageKinds.length}`)
    t.notMatch(server.log(), 'sesame')
  })

  await t.test('after many wrong passwords, also of others, the reader is told to wait', needs('qpdf'), async (t) => {
    const locked = await server.upload(lockedPdf(t, pagesOfEveryKind(), { user: 'sesame', owner: 'owner' }))
    const token = await server.documentToken(locked, everything)
    const { page } = await open(t)
    await page.goto(`${url}/view/${locked}#token=${token}`)
    await page.getByLabel('Password').fill('sesame')
    const wrong = () => api.as(token).post(`/v1/docs/${locked}/layers/default/access`, { password: 'wrong' })
    while ((await wrong()).status !== 429);
    await button(page, 'Open').click()
    await page.getByText('There were too many attempts.').waitFor()
    await page.getByLabel('Password').waitFor()
  })

  await t.test('a share with a passphrase asks for it', async (t) => {
    const { page } = await open(t)
    await page.goto(`${url}/s/${await share(server, plain, { password: 'friend' })}`)
    await page.getByLabel('Passphrase').fill('foe')
    await page.keyboard.press('Enter')
    await page.getByText('This passphrase is wrong.').waitFor()
    await page.getByLabel('Passphrase').fill('friend')
    await page.keyboard.press('Enter')
    await page.locator('.page img').first().waitFor()
  })

  await t.test('addresses that open nothing say why, and offer another attempt where it may help', async (t) => {
    const { page } = await open(t)
    const gone = await share(server, plain)
    done(await api.delete(`/v1/tenants/acme/shares/${gone}`))
    for (const [address, reason, attempts] of [
      [`/view/${plain}`, 'Use the whole link', 0],
      [`/s/${gone}`, 'does not exist or was withdrawn', 0],
      [`/s/${await share(server, plain, { origins: ['https://example.com'] })}`, 'does not allow', 0],
      [`/view/${plain}#token=nonsense`, 'Your access has ended', 1],
      [`/view/other#token=${await server.documentToken(plain, everything)}`, 'does not allow', 1],
    ] as const) {
      await page.goto('about:blank')
      await page.goto(url + address)
      await page.getByText(reason).waitFor()
      t.equal(await heading(page), 'The document cannot be shown', address)
      t.equal(await button(page, 'Try again').count(), attempts, address)
    }
  })

  await t.test('links lead to their page, and to addresses that a browser may open', async (t) => {
    const docId = await server.upload(linked)
    const { page } = await open(t)
    await show(page, `${url}/s/${await share(server, docId)}`)
    const link = page.getByRole('link')
    await link.waitFor() // Fails if there are several.
    t.equal(await link.getAttribute('href'), 'https://example.com/')
    t.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    await page.locator('.page').getByRole('button', { name: 'Page 3' }).click()
    const current = (number: string) => page.locator('.thumbnail[aria-current="page"]').getByText(number).waitFor()
    await current('3')
    await page.goBack()
    await current('1')
    await page.goForward()
    await current('3')
  })

  await t.test('the layers of the link can be chosen, and no others', async (t) => {
    const tokens = await Promise.all(
      ['default', 'legal'].map((layerName) => server.documentToken(plain, everything, { layerName })),
    )
    const first = { pages: [{ kind: 'objectNumber', objectNumber: 10 }] }
    done(await api.post(`/v1/docs/${plain}/layers/legal/pages/delete`, first))
    const { page } = await open(t)
    await show(page, `${url}/view/${plain}#${tokens.map((token) => `token=${token}`).join('&')}`)
    t.equal(await pageCount(page), `/ ${pageKinds.length}`)
    const choice = page.getByLabel('Layer')
    t.same(await choice.locator('option').allTextContents(), ['default', 'legal'])
    await choice.selectOption('legal')
    await page.getByText(`/ ${pageKinds.length - 1}`, { exact: true }).waitFor()
    t.equal(await page.getByLabel('Layer').inputValue(), 'legal')
    await page.goBack()
    await page.getByText(`/ ${pageKinds.length}`, { exact: true }).waitFor()
    await page.goto(`${url}/view/${plain}?layer=other`)
    await page.getByText('does not allow').waitFor()
    await page.getByLabel('Layer').selectOption('legal')
    await page.getByText(`/ ${pageKinds.length - 1}`, { exact: true }).waitFor()
  })

  await t.test('the page fits a telephone, and follows the language and the colours of the reader', async (t) => {
    const options = { viewport: { width: 375, height: 700 }, locale: 'de-DE', colorScheme: 'dark' as const }
    const { page } = await open(t, options)
    await show(page, `${url}/s/${await share(server, plain)}`)
    const [content = 0, room = 0] = (await page.evaluate(widths)) as number[]
    t.ok(content <= room, 'nothing is wider than the screen')
    t.equal(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), 'rgb(23, 25, 28)')
    t.equal(await button(page, 'Suchen').count(), 1)
    t.equal(await page.evaluate('document.documentElement.lang'), 'de')
  })

  await t.test('the keyboard alone reaches everything', async (t) => {
    const { page } = await open(t)
    await show(page, `${url}/s/${await share(server, plain)}`)
    const reached = new Set<string>()
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('Tab')
      reached.add(String(await page.evaluate(focused)))
    }
    for (const name of [
      'Pages and bookmarks',
      'Page, of 6',
      'Zoom in',
      'Search',
      'Print',
      'Download',
      'Page 3',
      'Pages',
    ]) {
      t.ok(reached.has(name), name)
    }
    await page.getByRole('tab', { name: 'Pages' }).focus()
    await page.keyboard.press('ArrowRight')
    t.equal(await page.evaluate(focused), 'Bookmarks')
    await page.keyboard.press('ArrowLeft')
    await page.getByLabel('Page, of 6').fill('4')
    await page.keyboard.press('Enter')
    await page.locator('.page[data-page="4"] img').waitFor()
    await page.locator('.thumbnail[aria-current="page"]').getByText('4').waitFor()
  })
})

/** Three pages; links of the first lead to the third, to a site and to a script. */
const linked = rawPdf({
  1: '<</Type/Catalog/Pages 2 0 R>>',
  2: '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 300 900]>>',
  3: '<</Type/Page/Parent 2 0 R/Annots[6 0 R 7 0 R 8 0 R]>>',
  4: '<</Type/Page/Parent 2 0 R>>',
  5: '<</Type/Page/Parent 2 0 R>>',
  6: '<</Type/Annot/Subtype/Link/Rect[20 800 120 840]/Dest[5 0 R/Fit]>>',
  7: '<</Type/Annot/Subtype/Link/Rect[20 740 120 780]/A<</S/URI/URI(https://example.com/)>>>>',
  8: '<</Type/Annot/Subtype/Link/Rect[20 680 120 720]/A<</S/URI/URI(javascript:globalThis.ran=6)>>>>',
})
