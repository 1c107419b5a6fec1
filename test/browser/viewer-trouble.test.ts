// The page of a document when something fails or is not allowed: it says so, and keeps everything that people wrote.
import t, { type Test } from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { formPdf } from '../support/pdf/form-pdf.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { button, everything, pagesOfEveryKind, searchField, show } from './viewer-page.js'

t.test('trouble of a document in a browser', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const { api, url } = server
  const view = async (t: Test, docId: string, { scope = everything, more = {}, options = {} } = {}) => {
    const { page } = await openWindow(t, browser, options)
    const token = await server.documentToken(docId, scope, more)
    await page.goto(`${url}/view/${docId}#token=${token}`)
    return page
  }
  const noted = async () => {
    const docId = await server.upload(formPdf())
    const note = { subtype: 'text', rect: { x: 10, y: 10, width: 20, height: 20 }, contents: 'Whose is it?' }
    done(await api.post(`/v1/docs/${docId}/layers/default/annotations/pages/obj:3/items`, note))
    return docId
  }

  await t.test('without the server, what was written stays, and failures are not taken for results', async (t) => {
    const docId = await noted()
    const page = await view(t, docId)
    await page.locator('.page img').first().waitFor()
    await page.getByRole('tab', { name: 'Comments' }).click()
    await page.getByText('Whose is it?').waitFor()
    t.equal(await page.locator('.comment-kind').textContent(), 'Note')
    await page.context().setOffline(true)
    await page.getByLabel('Reply').fill('It is mine')
    await button(page, 'Send').click()
    await page.getByText('The server does not answer.').waitFor()
    t.equal(await page.getByLabel('Reply').inputValue(), 'It is mine')
    const plain = page.locator('.field').getByLabel('plain', { exact: true })
    await plain.fill('Written offline')
    await plain.press('Tab')
    await button(page, 'Search').click()
    await searchField(page).fill('anything')
    await page.getByText('The search failed.').waitFor()
    t.equal(await plain.inputValue(), 'Written offline')
    await searchField(page).press('Escape')

    await page.context().setOffline(false)
    await button(page, 'Send').click()
    await page.locator('.reply').getByText('It is mine').waitFor()
    t.equal(await page.getByLabel('Reply').inputValue(), '')
    await plain.focus()
    await plain.press('Tab')
    await eventually(async () =>
      (await api.get(`/v1/docs/${docId}/layers/default/form`).then(done)).text.includes('Written offline'),
    )
  })

  await t.test('of comments, only what the scopes allow is offered', async (t) => {
    const docId = await noted()
    const scope = ['doc.open', 'doc.render', 'annotations:create:self', 'annotations:delete:self']
    const page = await view(t, docId, { scope, more: { userId: 'u2', displayName: 'Ada' } })
    await page.getByRole('tab', { name: 'Comments' }).click()
    await page.getByText('Whose is it?').waitFor()
    t.equal(await button(page, 'Remove').count(), 0, 'the comment of another')
    await page.getByLabel('Reply').fill('Not mine')
    await button(page, 'Send').click()
    await page.locator('.reply').getByText('Not mine').waitFor()
    await button(page, 'Remove').click()
    await page.getByText('Not mine').waitFor({ state: 'detached' })
  })

  await t.test('a page that is not drawn says so', async (t) => {
    const page = await view(t, await server.upload(formPdf()), { scope: ['doc.open'] })
    await page.getByText('This page cannot be drawn').first().waitFor()
  })

  await t.test('a page like a ribbon is drawn, with its small picture, turned or not', async (t) => {
    const ribbons = [
      onePage('0 0 3 14400 re f', { size: [3, 14400] }),
      onePage('0 0 14400 3 re f', { size: [14400, 3], page: '/Rotate 90' }),
    ]
    for (const ribbon of ribbons) {
      const page = await view(t, await server.upload(ribbon))
      await page.locator('.page img').first().waitFor()
      t.equal(await page.getByText('This page cannot be drawn').count(), 0)
      const drawn = () =>
        page
          .locator('.thumbnail img')
          .evaluateAll((all) => all.map((one) => Number(Reflect.get(one, 'naturalWidth')) > 0))
      await eventually(async () => (await drawn()).join() === 'true')
    }
  })

  await t.test('on a telephone the number is that of the first page, and the wheel zooms in steps', async (t) => {
    const docId = await server.upload(pagesOfEveryKind())
    const page = await view(t, docId, { options: { viewport: { width: 375, height: 1200 } } })
    await show(page, page.url())
    const number = page.getByLabel('Page, of 6')
    t.equal(await number.inputValue(), '1')
    const size = async () => Number((await page.getByLabel('Zoom', { exact: true }).textContent())?.match(/\d+/)?.[0])
    const before = await size()
    await page.locator('.page').first().hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -120)
    await page.keyboard.up('Control')
    await page.waitForTimeout(1000)
    t.ok((await size()) > before && (await size()) < 1.5 * before, `${before} % became ${await size()} %`)
  })
})
