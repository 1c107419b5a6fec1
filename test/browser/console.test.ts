// The console in a real browser, driven as people do: signing in, tenants, and who may do what.
import type { Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser, type Window } from '../support/browser.js'
import { proxyBelow } from '../support/prefix-proxy.js'
import {
  bugsIn,
  button,
  dialog,
  field,
  fileOf,
  isOwn,
  link,
  named,
  pdf,
  rows,
  script,
  signIn,
  uploadField,
} from './console-page.js'
import { stored } from './in-page.js'

t.test('the console', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const { api, url, apiToken } = server
  const browser: Browser = await startBrowser(t)
  const open = (t: Test, options = {}): Promise<Window> => openWindow(t, browser, options)
  const docId = await server.upload(pdf, { docId: 'agreement' })

  await t.test('a token is asked for, kept in memory only, and asked for again', async (t) => {
    const { page, requested, complaints } = await open(t)
    await page.goto(`${url}/console`)
    for (const [token, message] of [
      ['nonsense', 'This token does not open anything here.'],
      ['ungültig', 'This token does not open anything here.'],
      [await server.documentToken(docId, ['*']), 'This token is for one document'],
    ] as const) {
      await field(page, 'Token').fill(token)
      await button(page, 'Sign in').click()
      await page.getByRole('alert').filter({ hasText: message }).waitFor()
    }
    await field(page, 'Token').fill(` ${apiToken}\n`)
    await button(page, 'Sign in').click()
    await link(page, 'acme').click()
    await link(page, 'agreement').waitFor()
    t.notMatch(page.url(), apiToken)
    t.same(JSON.parse(String(await page.evaluate(stored))), [0, 0, ''])
    t.same(await page.context().cookies(), [])
    t.same(
      requested.filter((address) => address.includes(apiToken) || !isOwn(address, url)),
      [],
    )
    await page.reload()
    await field(page, 'Token').waitFor()
    t.same(bugsIn(complaints), [])
    t.notMatch(server.log(), apiToken)
  })

  await t.test('tenants are made, suspended and resumed, and show their usage', async (t) => {
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken)
    const acme = rows(page, 'Tenants').filter({ hasText: 'acme' })
    await acme.getByText('1', { exact: true }).first().waitFor()
    await button(page, 'New tenant').click()
    await dialog(page).getByLabel('Id', { exact: true }).fill('north')
    await dialog(page).getByLabel('Name (optional)').fill(script)
    await button(page, 'Create').click()
    await page.getByText('No documents yet.').waitFor()
    await button(page, 'Suspend').click()
    await field(page, 'Reason (optional)').fill('unpaid')
    await dialog(page).getByRole('button', { name: 'Suspend' }).click()
    await button(page, 'Resume').waitFor()
    t.equal((await api.get('/v1/tenants/north')).at('/tenant/status'), 'suspended')
    await link(page, 'Tenants').click()
    await rows(page, 'Tenants').filter({ hasText: script }).getByText('Suspended').waitFor()
    await page.goBack()
    await button(page, 'Resume').click()
    await button(page, 'Suspend').waitFor()
    t.equal((await api.get('/v1/tenants/north')).at('/tenant/status'), 'active')
    t.same(complaints, [])
  })

  await t.test('what a tenant may store is set, and shown beside what it stores', async (t) => {
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, '#/acme/documents')
    const set = async (megabytes: string) => {
      await button(page, 'Limit storage of acme').click()
      await dialog(page).getByLabel('May store, in megabytes (optional)').fill(megabytes)
      await dialog(page).getByRole('button', { name: 'Save' }).click()
      await dialog(page).waitFor({ state: 'detached' })
      return done(await api.get('/v1/tenants/acme')).at('/tenant/storedBytesMax')
    }
    t.equal(await set('1,5'), 1_500_000)
    await page.getByText(/^1\.5 MB$/).waitFor()
    t.equal(await set('0'), 0)
    await page.getByText('Unlimited', { exact: true }).waitFor()
    t.equal(await set(''), null)
    await page.getByText(/^1\.1 TB$/).waitFor()
    t.same(complaints, [])
  })

  await t.test('what a tenant token may not do is not offered, and its end signs out', async (t) => {
    const { page } = await open(t)
    const issued = done(
      await api.post('/v1/tenants/acme/tokens', {
        kind: 'tenant',
        sub: 'reader',
        scope: ['docs.read'],
        expiresIn: 600,
      }),
    )
    await signIn(page, url, issued.word('/token'), '#/north/documents')
    await link(page, 'agreement').waitFor()
    for (const name of ['Upload', 'Suspend', 'Open agreement', 'Delete agreement']) {
      t.equal(await button(page, name).count(), 0, name)
    }
    for (const name of ['Tenants', 'Shares', 'Tokens']) t.equal(await link(page, name).count(), 0, name)
    await link(page, 'agreement').click()
    await link(page, 'Layers').waitFor()
    for (const name of ['Versions', 'Shares']) t.equal(await link(page, name).count(), 0, name)
    done(await api.post(`/v1/tenants/acme/tokens/${issued.word('/jti')}/revoke`))
    await link(page, 'Layers').click()
    await page.getByText('Your token has expired or was revoked.').waitFor()
    await signIn(page, url, await server.tenantToken('acme', ['*']), '#/acme/documents/agreement/versions')
    await rows(page, 'Versions').getByText('Newest').waitFor()
    t.equal(await link(page, 'Shares').count(), 1)
    t.equal(await link(page, 'Tenants').count(), 0)
  })

  await t.test('the console works below a path prefix of a proxy, in the language of the reader', async (t) => {
    const below = await proxyBelow(t, '/documents', url)
    const { page, requested, complaints } = await open(t, { locale: 'de' })
    await page.goto(`${below}/console`)
    await field(page, 'Token').fill(apiToken)
    await button(page, 'Anmelden').click()
    await link(page, 'acme').click()
    await uploadField(page).or(page.getByLabel('PDF-Dateien zum Hochladen wählen')).setInputFiles(fileOf('unten.pdf'))
    await page.getByText('Gespeichert').waitFor()
    t.equal((await named(server, 'unten.pdf'))[0].state, 'ready')
    const [viewer] = await Promise.all([page.waitForEvent('popup'), button(page, 'unten.pdf öffnen').click()])
    await viewer.locator('.page img').first().waitFor()
    t.match(viewer.url(), `${below}/view/`)
    t.same(
      requested.filter((address) => !isOwn(address, below)),
      [],
    )
    t.same(complaints, [])
  })
})
