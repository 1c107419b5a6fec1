// The page of a document for everybody: axe finds nothing serious, in light and dark, on a telephone and behind a prefix.
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { isLong } from '../support/sample.js'

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Returns what axe complains of seriously. */
async function seriousProblems(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe })
  const { violations } = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] }
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

t.test('the viewer for everybody', { ...needsChromium, timeout: 240_000 }, async (t) => {
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

/** Starts a proxy that passes requests below the prefix on, without it. Returns the address of the prefix. */
async function proxyBelow(t: Test, prefix: string, to: string): Promise<string> {
  const proxy = createServer((incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end()
    const { method, headers } = incoming
    const passed = request(to + incoming.url.slice(prefix.length), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`
}
