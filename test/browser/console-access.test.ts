// Shares and tokens in the console, and everybody in front of it: keyboard, axe.
import type { Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import { scopesOf } from '../../server/auth/scope-presets.js'
import { done, runServer } from '../server/support/running-server.js'
import { seriousProblems } from '../support/axe.js'
import { needsChromium, openWindow, startBrowser, type Window } from '../support/browser.js'
import { button, dialog, field, pdf, rows, signIn } from './console-page.js'
import { focused } from './in-page.js'

t.test('shares and tokens of the console', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const { api, url, apiToken } = server
  const browser: Browser = await startBrowser(t)
  const open = (t: Test, options = {}): Promise<Window> => openWindow(t, browser, options)
  const docId = await server.upload(pdf, { docId: 'agreement' })

  await t.test('a share is made with limits, shown once, used, disabled and revoked', async (t) => {
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, `#/acme/documents/${docId}/shares`)
    await button(page, 'New share').click()
    await field(page, 'Print').check()
    await field(page, 'Valid for').selectOption('A week')
    await field(page, 'For (optional)').fill('Ann')
    await field(page, 'Passphrase (optional)').fill('friend')
    await field(page, 'May store, in megabytes (optional)').fill('2.5')
    await button(page, 'Create').click()
    const address = await field(page, 'Link').inputValue()
    t.match(address, `${url}/s/shr_`)
    await button(page, 'Close').click()
    t.equal(await page.getByText(address).count(), 0)
    const [share] = Object(done(await api.get(`/v1/tenants/acme/shares?docId=${docId}`)).at('/shares'))
    t.match(share, { passwordProtected: true, disabled: false, displayName: 'Ann', storedBytesMax: 2_500_000 })
    t.ok(share.scope.includes('doc.print') && !share.scope.includes('doc.download'))
    t.ok(Math.abs(share.expiresAt - share.createdAt - 7 * 24 * 3600_000) < 3600_000)
    await page.getByText('May store: 2.5 MB').waitFor()
    await page.getByRole('button', { name: /^Limit storage of agreement/ }).click()
    await dialog(page).getByLabel('May store, in megabytes (optional)').fill('0.001')
    await button(page, 'Save').click()
    await page.getByText('May store: 1 kB').waitFor()
    const reader = await open(t)
    await reader.page.goto(address)
    await reader.page.getByLabel('Passphrase').fill('friend')
    await reader.page.keyboard.press('Enter')
    await reader.page.locator('.page img').first().waitFor()
    const exchange = async () => {
      const body = { shareToken: share.id, password: 'friend' }
      return (
        await api.as(undefined).send('/v1/share-sessions', { method: 'POST', json: body, headers: { origin: url } })
      ).status
    }
    await page.getByRole('button', { name: /^Disable the share/ }).click()
    await page.getByRole('button', { name: /^Enable the share/ }).waitFor()
    t.equal(await exchange(), 404)
    await page.getByRole('button', { name: /^Enable the share/ }).click()
    await page.getByRole('button', { name: /^Disable the share/ }).waitFor()
    t.equal(await exchange(), 200)
    await page.getByRole('button', { name: /^Revoke agreement/ }).click()
    await dialog(page).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Nothing is shared.').waitFor()
    t.equal(await exchange(), 404)
    t.same(complaints, [])
  })

  await t.test('comments of others are a choice of their own, in links and tokens', async (t) => {
    const { page } = await open(t)
    const may = { own: 'Comment, and change own comments', others: 'Change and remove comments of others' }
    await signIn(page, url, apiToken, `#/acme/documents/${docId}/shares`)
    const made: readonly string[][] = await [[may.own], [may.own, may.others]].reduce(async (before, names) => {
      const shares = await before
      await button(page, 'New share').click()
      for (const name of names) await field(page, name).check()
      await button(page, 'Create').click()
      await field(page, 'Link').waitFor()
      await button(page, 'Close').click()
      const [share] = Object(done(await api.get(`/v1/tenants/acme/shares?docId=${docId}`)).at('/shares'))
      return [...shares, share.scope]
    }, Promise.resolve<string[][]>([]))
    t.same(made, [scopesOf(['comment']), scopesOf(['comment', 'moderate'])], 'as `agents documents share` gives them')
    const { page: tokens } = await open(t)
    await signIn(tokens, url, apiToken, '#/acme/tokens')
    await button(tokens, 'New token').click()
    await field(tokens, 'Person or program').fill('Ada')
    await field(tokens, 'Document id').fill(docId)
    await field(tokens, may.own).check()
    await button(tokens, 'Create').click()
    const ada = api.as(await field(tokens, 'Token').inputValue())
    const data = { subtype: 'square', rect: { x: 1, y: 1, width: 9, height: 9 } }
    const layer = `/v1/docs/${docId}/layers/default`
    const page1 = done(await ada.get(`${layer}/layout`)).at('/pages/0/ref/objectNumber')
    const items = `${layer}/annotations/pages/obj:${page1}/items`
    const { annotation } = Object(done(await ada.post(items, data)).json())
    t.match(annotation, { author: 'Ada', userId: 'Ada' })
  })

  await t.test('a token is made with limits, shown once, and revoked', async (t) => {
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, '#/acme/tokens')
    await button(page, 'New token').click()
    await field(page, 'Person or program').fill('ada')
    await field(page, 'Document id').fill(docId)
    await field(page, 'Download').check()
    await field(page, 'May store, in megabytes (optional)').fill('3')
    await button(page, 'Create').click()
    const token = await field(page, 'Token').inputValue()
    const claims = JSON.parse(Buffer.from(String(token.split('.')[1]), 'base64url').toString())
    t.equal(claims.stored_bytes_max, 3_000_000)
    const jti = await dialog(page).getByLabel('Token id', { exact: true }).inputValue()
    await page.keyboard.press('Escape')
    const read = async (path: string) => (await api.as(token).get(`/v1/docs/${docId}/layers/default/${path}`)).status
    t.equal(await read('download'), 200)
    t.equal((await api.as(token).post(`/v1/docs/${docId}/layers/default/pages/delete`, { pages: [] })).status, 403)
    await button(page, 'Revoke ada').click()
    await rows(page, 'Tokens you made').getByText('Revoked').waitFor()
    t.equal(await read('download'), 401)
    await field(page, 'Token id').fill(jti)
    await button(page, 'Revoke').click()
    await page.getByText(`The token ${jti} is revoked.`).waitFor()
    t.same(complaints, [])
  })

  await t.test('the keyboard alone reaches everything, and dialogs give the focus back', async (t) => {
    const { page } = await open(t)
    await signIn(page, url, apiToken, '#/acme/documents')
    await button(page, 'Delete agreement').waitFor()
    const reached = new Set<string>()
    // The focus begins at the heading.
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press('Shift+Tab')
      reached.add(String(await page.evaluate(focused)))
    }
    for (let step = 0; step < 60 && !reached.has('Delete agreement'); step++) {
      await page.keyboard.press('Tab')
      reached.add(String(await page.evaluate(focused)))
    }
    for (const name of ['Sign out', 'Suspend', 'Shares', 'Search by name', 'State', 'Upload', 'Open agreement']) {
      t.ok(reached.has(name), `${name} is reached`)
    }
    await page.keyboard.press('Enter')
    await dialog(page).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    t.equal(await page.evaluate(focused), 'Delete agreement')
  })

  for (const [width, colorScheme] of [
    [375, 'dark'],
    [1280, 'light'],
  ] as const) {
    await t.test(
      `axe finds nothing serious: ${width} pixels, ${colorScheme}; nothing is wider than the screen`,
      async (t) => {
        const { page } = await open(t, { bypassCSP: true, colorScheme, viewport: { width, height: 740 } })
        const judge = async (where: string) => {
          t.same(await seriousProblems(page), [], where)
          t.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${where} fits`)
        }
        await page.goto(`${url}/console`)
        await button(page, 'Sign in').waitFor()
        await judge('sign in')
        await signIn(page, url, apiToken)
        await rows(page, 'Tenants').first().waitFor()
        await judge('tenants')
        for (const [place, shown] of [
          ['#/acme/documents', 'Documents'],
          ['#/acme/tokens', 'New token'],
          ['#/acme/documents/agreement/facts', 'Overview'],
          ['#/acme/documents/agreement/layers', 'Layers'],
          ['#/acme/documents/agreement/versions', 'Versions'],
          ['#/acme/documents/agreement/audit', 'Filter'],
          ['#/acme/documents/agreement/reads', 'Who read what'],
          ['#/acme/documents/agreement/shares', 'New share'],
        ] as const) {
          await page.evaluate(`location.hash = '${place}'`)
          await page.getByText(shown, { exact: true }).first().waitFor()
          await judge(place)
        }
        await button(page, 'New share').click()
        await dialog(page).waitFor()
        await judge('dialog')
        await page.keyboard.press('Escape')
        await page.evaluate("location.hash = '#/acme/documents'")
        await button(page, 'Limit storage of acme').click()
        await judge('limit')
      },
    )
  }
})
