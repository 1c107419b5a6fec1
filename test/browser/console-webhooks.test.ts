// Webhooks in the console: made, tried, paused, and the log of what was sent.
import t from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { startReceiver } from '../server/webhooks/support/receiver.js'
import { seriousProblems } from '../support/axe.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { bugsIn, button, dialog, field, pdf, rows, script, signIn } from './console-page.js'

t.test('webhooks of the console', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const receiver = await startReceiver(t)
  const settings = { webhookAllow: ['127.0.0.1/32'], webhookHttp: true }
  const server = await runServer(t, { settings })
  const { api, url, apiToken } = server
  const browser = await startBrowser(t)
  done(await api.post('/v1/tenants', { id: 'acme' }))
  const { page, complaints } = await openWindow(t, browser, { bypassCSP: true })
  await signIn(page, url, apiToken, '#/acme/webhooks')
  await page.getByText('Nothing is sent anywhere.').waitFor()

  await button(page, 'New webhook').click()
  await field(page, 'URL').fill('ftp://example.com/')
  await button(page, 'Create').click()
  await dialog(page).getByRole('alert').waitFor()
  await field(page, 'URL').fill(`${receiver.url}/${encodeURIComponent(script)}`)
  await field(page, 'a document gets a new version').uncheck()
  await button(page, 'Create').click()
  t.match(await field(page, 'Secret').inputValue(), 'whsec_')
  await button(page, 'Close').click()
  const [webhook] = Object(done(await api.get('/v1/tenants/acme/webhooks'))).at('/webhooks')
  t.equal(webhook.types.length, 4)

  await page.getByRole('button', { name: /^Send a test to/ }).click()
  await page.getByText('Answer: HTTP 204').waitFor()
  t.equal(receiver.received.length, 1)
  receiver.answer = () => ({ status: 500 })
  await server.upload(pdf, { docId: 'agreement' })
  await receiver.until(2)
  await page.getByRole('button', { name: /^Deliveries to/ }).click()
  const delivery = rows(page, 'Deliveries')
  await delivery.getByText('document.ready').waitFor()
  t.match(await delivery.textContent(), /agreement.*Waiting.*Attempts: 1.*HTTP 500/s)
  receiver.answer = () => ({ status: 204 })
  await delivery.getByRole('button', { name: 'Send again' }).click()
  await delivery.getByText('Delivered').waitFor()
  t.same(await seriousProblems(page), [])

  await page.getByRole('button', { name: /^Pause/ }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByRole('button', { name: /^Resume/ }).click()
  await page.getByText('Active', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Nothing is sent anywhere.').waitFor()
  t.same(bugsIn(complaints), [])

  await t.test('a token without the right is not offered them', async (t) => {
    const other = await openWindow(t, browser)
    await signIn(other.page, url, await server.tenantToken('acme', ['docs.read']), '#/acme/webhooks')
    await other.page.getByRole('link', { name: 'Documents' }).first().waitFor()
    t.equal(await other.page.getByRole('link', { name: 'Webhooks' }).count(), 0)
  })
})
