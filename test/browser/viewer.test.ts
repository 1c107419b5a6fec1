// The page of a document in a real browser: what people see of it, and what it does not do.

import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { done, type Running, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { formPdf } from '../support/pdf/form-pdf.js'
import { needs } from '../support/pdf/judges.js'
import { lockedPdf } from '../support/pdf/locked-pdf.js'
import { onePage, rawPdf } from '../support/pdf/raw-pdf.js'
import { bare, boxes, clipboardText, countSheets, focused, hasMark, widths } from './in-page.js'

const reading = ['doc.open', 'doc.render', 'doc.text.select', 'doc.text.copy', 'doc.text.search']
const everything = ['*']

/** How a page is turned, cut and scaled: entries of its dictionary. */
const pageKinds = [
  '',
  '/Rotate 90',
  '/Rotate 180 /CropBox [50 100 350 400]',
  '/Rotate 270 /CropBox [20 80 300 420]',
  '/UserUnit 1.5',
  '/MediaBox [-100 -50 300 450] /Rotate 90 /UserUnit 2',
]

/** A document with a page of each kind. The word is the only thing on a page. */
function pagesOfEveryKind(word = 'Needle'): Buffer {
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

const share = async ({ api }: Running, docId: string, more: object = {}) =>
  done(await api.post('/v1/tenants/acme/shares', { docId, scope: everything, ...more })).word('/share/id')

/** Opens the address, and waits until the page shows a picture. */
async function show(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator('.page img').first().waitFor()
}

const pageCount = (page: Page) => page.locator('.page-number span').textContent()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
/** A read of a version that was replaced at that moment is refused, and made again with the next version. */
const bugsIn = (complaints: readonly string[]) => complaints.filter((one) => !one.includes('status of 404'))
const searchField = (page: Page) => page.getByLabel('Text to search for')
const heading = (page: Page) => page.getByRole('heading').textContent()

t.test('the viewer in a browser', { ...needsChromium, timeout: 290_000 }, async (t) => {
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

  await t.test('changes of others appear, and a revoked token ends the view', async (t) => {
    const docId = await server.upload(pagesOfEveryKind())
    const layer = `/v1/docs/${docId}/layers/default`
    const issued = done(
      await api.post('/v1/tenants/acme/tokens', { kind: 'doc', sub: 'ada', docId, scope: everything, expiresIn: 600 }),
    )
    const { page } = await open(t)
    await show(page, `${url}/view/${docId}#token=${issued.word('/token')}`)
    const before = await inkOf(page, 1)
    const square = { subtype: 'square', rect: { x: 100, y: 50, width: 120, height: 60 }, color: '#000000' }
    done(await api.post(`${layer}/annotations/pages/obj:10/items`, square))
    await t.resolves(
      eventually(async () => (await inkOf(page, 1)).inAll > before.inAll + 100),
      'the square is shown',
    )
    done(await api.post(`${layer}/pages/delete`, { pages: [{ kind: 'objectNumber', objectNumber: 12 }] }))
    await page.getByText(`/ ${pageKinds.length - 1}`, { exact: true }).waitFor()
    done(await api.post(`/v1/tenants/acme/tokens/${issued.word('/jti')}/revoke`, {}))
    await page.getByText('Your access has ended.').waitFor()
  })

  await t.test('two people see what the other marks, answers and takes back', async (t) => {
    const docId = await server.upload(pagesOfEveryKind())
    const windows = await Promise.all(
      ['Ada', 'Grace'].map(async (displayName) => {
        const token = await server.documentToken(docId, everything, {
          sub: displayName,
          userId: displayName,
          displayName,
        })
        const { page, complaints } = await open(t)
        await show(page, `${url}/view/${docId}#token=${token}`)
        await page.getByRole('tab', { name: 'Comments' }).click()
        return { page, complaints }
      }),
    )
    const [ada, grace] = windows
    if (ada === undefined || grace === undefined) throw new Error('unreachable')
    await ada.page.keyboard.press('Control+f')
    await searchField(ada.page).fill('needle')
    await eventually(async () => ada.page.evaluate(hasMark(1)))
    const { mark } = await boxesAtRest(ada.page, 1)
    await ada.page.mouse.dblclick(mark.x + mark.width / 2, mark.y + mark.height / 2)
    await button(ada.page, 'Highlight the selected text').click()
    const entry = grace.page.locator('.comment')
    await entry.getByText('Ada').waitFor()
    const [highlight] = done(await api.get(`/v1/docs/${docId}/layers/default/annotations/items`)).at(
      '/annotations',
    ) as {
      readonly subtype: string
    }[]
    t.match(highlight, { subtype: 'highlight', author: 'Ada', quadPoints: [{}] })
    await grace.page.getByLabel('Reply').fill('Really?')
    await button(grace.page, 'Send').click()
    await ada.page.locator('.comment.reply').getByText('Really?').waitFor()
    await button(grace.page, 'Undo').click()
    await ada.page.locator('.comment.reply').waitFor({ state: 'detached' })
    await button(grace.page, 'Redo').click()
    await ada.page.locator('.comment.reply').getByText('Really?').waitFor()
    await button(ada.page, 'Remove').first().click()
    await grace.page.getByText('Nobody has commented yet.').waitFor()
    t.same(bugsIn([...ada.complaints, ...grace.complaints]), [])
  })

  await t.test('addresses that open nothing say why', async (t) => {
    const { page } = await open(t)
    const gone = await share(server, plain)
    done(await api.delete(`/v1/tenants/acme/shares/${gone}`))
    for (const [address, reason] of [
      [`/view/${plain}`, 'Use the whole link'],
      [`/s/${gone}`, 'does not exist, was withdrawn'],
      [`/s/${await share(server, plain, { origins: ['https://example.com'] })}`, 'does not allow'],
      [`/view/${plain}#token=nonsense`, 'Your access has ended'],
      [`/view/other#token=${await server.documentToken(plain, everything)}`, 'does not allow'],
    ] as const) {
      await page.goto('about:blank')
      await page.goto(url + address)
      await page.getByText(reason).waitFor()
      t.equal(await heading(page), 'The document cannot be shown', address)
    }
  })

  await t.test('a form is filled in, calculated, and the last value taken back', async (t) => {
    const docId = await server.upload(formPdf())
    const { page, complaints } = await open(t)
    await show(page, `${url}/s/${await share(server, docId)}`)
    const control = (name: string) => page.locator('.field').getByLabel(name, { exact: true })
    const values = async () => {
      const form = done(await api.get(`/v1/docs/${docId}/layers/default/form`))
      const fields = form.at('/fields') as {
        name: string
        value?: unknown
        checked?: boolean
        selectedValues?: unknown
      }[]
      return Object.fromEntries(
        fields.map(({ name, value, checked, selectedValues }) => [name, value ?? checked ?? selectedValues]),
      )
    }
    const becomes = (expected: object) =>
      t.resolves(
        eventually(async () => isDeepStrictEqual({ ...(await values()), ...expected }, await values())),
        JSON.stringify(expected),
      )
    await control('price').fill('12')
    await control('price').press('Enter')
    await control('count').fill('3')
    await control('count').press('Tab')
    await becomes({ price: '12', count: '3', total: '36' })
    await control('multi').fill('two\nlines')
    await control('multi').press('Tab')
    await control('check').check()
    await control('combo').selectOption('b')
    await control('list').selectOption(['one', '3'])
    await control('color').nth(1).check()
    await becomes({ multi: 'two\nlines', check: true, combo: 'b', list: ['one', '3'] })
    await control('plain').fill('not this')
    await control('plain').press('Escape')
    await control('plain').press('Tab')
    t.notOk((await values())['plain'])
    const color = (await values())['color']
    t.ok(color)
    await button(page, 'Undo').click()
    await becomes({ color: '', combo: 'b' })
    t.same(bugsIn(complaints), [])
    const { page: reader } = await open(t)
    await show(reader, `${url}/s/${await share(server, docId, { scope: [...reading, 'doc.forms.read'] })}`)
    await reader.waitForTimeout(500)
    t.equal(await reader.locator('.field').count(), 0, 'who may only read gets no controls')
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
    await page.locator('.thumbnail[aria-current="page"]').getByText('3').waitFor()
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
      'Bookmarks',
      'Page 3',
      'Pages',
    ]) {
      t.ok(reached.has(name), name)
    }
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

async function inkOf(page: Page, number: number): Promise<Ink> {
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
async function boxesAtRest(page: Page, number: number): Promise<{ readonly mark: Box; readonly clip: Box }> {
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

async function eventually(isTrue: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 90_000
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
