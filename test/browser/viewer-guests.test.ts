// Visitors of a share: they say their name once, and are asked before the comment of another is removed.
import t, { type Test } from 'tap'
import { scopesOf } from '../../server/auth/scope-presets.js'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { bugsIn, button, dialog, pagesOfEveryKind, share, show } from './viewer-page.js'

t.test('visitors of a share', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const { api, url } = server
  const browser = await startBrowser(t)
  /** A document with a comment, and a function that opens a link to it. */
  const prepare = async (t: Test, ...presets: readonly string[]) => {
    const docId = await server.upload(pagesOfEveryKind())
    const items = `/v1/docs/${docId}/layers/default/annotations`
    const data = { subtype: 'text', rect: { x: 50, y: 50, width: 20, height: 20 }, contents: 'Whose is it?' }
    const token = await server.documentToken(docId, ['*'], { userId: 'ann', displayName: 'Ann' })
    await api.as(token).post(`${items}/pages/obj:10/items`, data).then(done)
    const link = { docId, href: `${url}/s/${await share(server, docId, { scope: scopesOf(presets) })}` }
    const authors = async () => {
      const list = Object((await api.get(`${items}/items`).then(done)).at('/annotations'))
      return list.map(({ author }: { readonly author: string | null }) => author)
    }
    const open = async (options = {}) => {
      const { page, complaints } = await openWindow(t, browser, options)
      await show(page, link.href)
      await page.getByRole('tab', { name: 'Comments' }).click()
      await page.getByText('Whose is it?').waitFor()
      return { page, complaints }
    }
    return { open, authors, link }
  }

  await t.test('a visitor says their name at the first comment, and never again in this browser', async (t) => {
    const { open, authors, link } = await prepare(t, 'comment')
    const { page, complaints } = await open()
    const watching = await open()
    await watching.page.locator('.people summary').click()
    await watching.page.locator('.people').getByText('Guest', { exact: true }).waitFor()
    const reply = async (contents: string) => {
      await page.getByLabel('Reply').first().fill(contents)
      await button(page, 'Send').first().click()
    }
    await reply('Mine')
    await dialog(page).getByLabel('Your name').fill('  Bob ')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mine', { exact: true }).waitFor()
    t.same(await authors(), ['Ann', 'Bob'])
    await watching.page.locator('.people').getByText('Bob', { exact: true }).waitFor()
    await show(page, link.href)
    await page.getByRole('tab', { name: 'Comments' }).click()
    await reply('Also mine')
    await page.getByText('Also mine').waitFor()
    t.same(await authors(), ['Ann', 'Bob', 'Bob'])
    t.equal(await button(page, 'Remove').count(), 2, 'own ones only, also those of the visit before')
    await button(page, 'Remove').first().click()
    await page.getByText('Mine', { exact: true }).waitFor({ state: 'detached' })
    const other = await open()
    t.equal(await button(other.page, 'Remove').count(), 0, 'another visitor')
    await other.page.getByLabel('Reply').first().fill('Whoever')
    await button(other.page, 'Send').first().click()
    await button(other.page, 'Without a name').click()
    await other.page.getByText('Whoever').waitFor()
    t.same(await authors(), ['Ann', 'Bob', null])
    t.same(bugsIn([...complaints, ...other.complaints]), [])
  })

  await t.test('a link with a name asks for none', async (t) => {
    const { authors, link } = await prepare(t, 'comment')
    const { page } = await openWindow(t, browser)
    const named = { scope: scopesOf(['comment']), displayName: 'Cem' }
    await show(page, `${url}/s/${await share(server, link.docId, named)}`)
    await page.getByRole('tab', { name: 'Comments' }).click()
    await page.getByLabel('Reply').first().fill('Mine')
    await button(page, 'Send').first().click()
    await page.getByText('Mine', { exact: true }).waitFor()
    t.same(await authors(), ['Ann', 'Cem'])
  })

  await t.test('whose comment another has removed brings it back', async (t) => {
    const { open, link, authors } = await prepare(t, 'comment')
    const { page, complaints } = await open()
    await page.getByLabel('Reply').first().fill('Mine')
    await button(page, 'Send').first().click()
    await dialog(page).getByLabel('Your name').fill('Bob')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mine', { exact: true }).waitFor()
    const docId = link.docId
    const layer = `/v1/docs/${docId}/layers/default`
    const mine = async () => {
      const list = Object((await api.get(`${layer}/annotations/items`).then(done)).at('/annotations'))
      return list.find(({ contents }: { readonly contents: string }) => contents === 'Mine')
    }
    const moderator = api.as(await server.documentToken(docId, ['*'], { userId: 'mod' }))
    for (const send of [
      async () => moderator.delete(`${layer}/annotations/pages/obj:10/items/obj:${(await mine()).ref.objectNumber}`),
      async () =>
        moderator.post(`${layer}/changes`, {
          changes: [{ opId: 'removed', ops: [{ type: 'annotations.delete', ref: (await mine()).ref }] }],
        }),
    ]) {
      await send().then(done)
      await page.getByText('Mine', { exact: true }).waitFor({ state: 'detached' })
      await button(page, 'Bring it back').click()
      await page.getByText('Mine', { exact: true }).waitFor()
      t.same(await authors(), ['Ann', 'Bob'])
    }
    t.same(bugsIn(complaints), [])
  })

  await t.test('before what another wrote is removed, it asks, in the list and on the page', async (t) => {
    const { open, authors } = await prepare(t, 'moderate')
    const { page, complaints } = await open()
    await button(page, 'Remove').click()
    await dialog(page).getByText('Remove what Ann wrote?').waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.locator('.page[data-page="1"] .place-frame button').first().focus()
    await page.keyboard.press('Delete')
    await dialog(page).getByText('Remove what Ann wrote?').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    t.same(await authors(), ['Ann'])
    await button(page, 'Remove').click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await dialog(page).getByRole('button', { name: 'Without a name' }).click()
    await page.getByText('Nobody has commented yet.').waitFor()
    t.same(bugsIn(complaints), [])
  })
})
