// Changes of a document in a real browser: those of others appear, own ones are made and taken back.
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { eventually } from '../support/eventually.js'
import { formPdf } from '../support/pdf/form-pdf.js'
import { hasMark } from './in-page.js'
import {
  boxesAtRest,
  bugsIn,
  button,
  dialog,
  everything,
  inkOf,
  pageKinds,
  pagesOfEveryKind,
  reading,
  searchField,
  share,
  show,
} from './viewer-page.js'

t.test('changes of a document in a browser', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const { api, url } = server
  const open = (t: Test, options = {}) => openWindow(t, browser, options)

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
    for (const [{ page }, name] of [
      [ada, 'Grace'],
      [grace, 'Ada'],
    ] as const) {
      await page.locator('.people summary', { hasText: 'Also here: 1' }).click()
      await page.locator('.people').getByText(name, { exact: true }).waitFor()
      t.equal(await page.locator('.people li').count(), 1, 'nobody is there twice, or sees themselves')
      await page.locator('.people summary').click()
    }
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
    await dialog(ada.page).getByText('Answers that are removed with it: 1').waitFor()
    await dialog(ada.page).getByRole('button', { name: 'Cancel' }).click()
    t.equal(await grace.page.locator('.comment').count(), 2, 'nothing is removed before')
    await button(ada.page, 'Remove').first().click()
    await dialog(ada.page).getByRole('button', { name: 'Remove' }).click()
    await grace.page.getByText('Nobody has commented yet.').waitFor()
    await grace.page.close()
    await ada.page.locator('.people').waitFor({ state: 'detached' })
    t.same(bugsIn([...ada.complaints, ...grace.complaints]), [])
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
    await page
      .locator('.field')
      .getByLabel(/^color: /)
      .nth(1)
      .check()
    await becomes({ multi: 'two\nlines', check: true, combo: 'b', list: ['one', '3'] })
    await control('plain').fill('not this')
    await control('plain').press('Escape')
    await control('plain').press('Tab')
    t.notOk((await values())['plain'])
    await t.resolves(
      eventually(async () => (await values())['color']),
      'the choice is stored',
    )
    await button(page, 'Undo').click()
    await becomes({ color: '', combo: 'b' })
    t.same(bugsIn(complaints), [])
    const { page: reader } = await open(t)
    await show(reader, `${url}/s/${await share(server, docId, { scope: [...reading, 'doc.forms.read'] })}`)
    await reader.waitForTimeout(500)
    t.equal(await reader.locator('.field').count(), 0, 'who may only read gets no controls')
  })
})
