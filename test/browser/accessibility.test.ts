// The page of a document for everybody: axe finds nothing serious, in light and dark, on a telephone and behind a prefix.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { seriousProblems } from '../support/axe.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { proxyBelow } from '../support/prefix-proxy.js'
import { isLong } from '../support/sample.js'

t.test('the viewer for everybody', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const docId = await server.upload(readFileSync('examples/documents/agreement.pdf'))
  const share = async (more: object = {}) =>
    done(await server.api.post('/v1/tenants/acme/shares', { docId, scope: ['*'], ...more })).word('/share/id')

  for (const width of [375, 1280]) {
    for (const colorScheme of isLong ? (['light', 'dark'] as const) : ([width === 375 ? 'dark' : 'light'] as const)) {
      await t.test(`axe finds nothing serious: ${colorScheme}, ${width} pixels`, async (t) => {
        // axe is a script of its own, which the policy of the page would refuse.
        const { page } = await openWindow(t, browser, {
          bypassCSP: true,
          colorScheme,
          viewport: { width, height: 700 },
        })
        await page.goto(`${server.url}/s/${await share()}`)
        await page.locator('.page img').first().waitFor()
        if (width < 900) await page.getByRole('button', { name: 'Pages and bookmarks' }).click()
        await page.locator('.thumbnail img').first().waitFor()
        t.same(await seriousProblems(page), [])
        await page.getByRole('tab', { name: 'Bookmarks' }).click()
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        t.same(await seriousProblems(page), [])
        await page.goto(`${server.url}/s/${await share({ password: 'friend' })}`)
        await page.getByLabel('Passphrase').waitFor()
        t.same(await seriousProblems(page), [])
        await page.goto(`${server.url}/view/${docId}`)
        await page.getByRole('heading').waitFor()
        t.same(await seriousProblems(page), [])
      })
    }
  }

  await t.test('the page works below a path prefix of a proxy', async (t) => {
    const url = await proxyBelow(t, '/documents', server.url)
    const { page, complaints, requested } = await openWindow(t, browser)
    await page.goto(`${url}/s/${await share()}`)
    await page.locator('.page img').first().waitFor()
    t.same(complaints, [])
    t.same(
      requested.filter((address) => !address.startsWith(url) && !/^(blob|data):/.test(address)),
      [],
    )
  })
})
