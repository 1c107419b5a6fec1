// The console in a real browser, driven as people do: by what they read and press.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { change, outcomes, titled } from '../server/changes/support/changing.js'
import { done, type Running, runServer } from '../server/support/running-server.js'
import { seriousProblems } from '../support/axe.js'
import { needsChromium, openWindow, startBrowser, type Window } from '../support/browser.js'
import { cuttingProxy } from '../support/engines/cutting-proxy.js'
import { proxyBelow } from '../support/prefix-proxy.js'
import { dropFile, focused, stored } from './in-page.js'

const pdf = readFileSync('examples/documents/agreement.pdf')
const documents = '/v1/tenants/acme/documents'
const script = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=2</script>'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const rows = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem')
const dialog = (page: Page) => page.getByRole('dialog')
const uploadField = (page: Page) => page.getByLabel('Choose PDF files to upload')
const fileOf = (name: string, content: Uint8Array = pdf) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.from(content),
})

/** The browser reports refused requests, which these tests make on purpose. */
const bugsIn = (complaints: readonly string[]) => complaints.filter((one) => !one.startsWith('Failed to load resource'))

/** True for addresses below the server, and for content that the page itself made. */
const isOwn = (address: string, url: string) => [url, 'blob:', 'data:'].some((own) => address.startsWith(own))

async function signIn(page: Page, url: string, token: string, place = ''): Promise<void> {
  await page.goto(`${url}/console${place}`)
  await field(page, 'Token').fill(token)
  await page.keyboard.press('Enter')
  await button(page, 'Sign out').waitFor()
}

/** Announces documents, whose bytes do not come. */
async function announce({ api }: Running, tenantId: string, names: readonly string[]): Promise<void> {
  for (const fileName of names) {
    const json = { contentLength: 5, contentSha256: 'a'.repeat(64), metadata: { fileName } }
    done(await api.post(`/v1/tenants/${tenantId}/documents/init`, json))
  }
}

const named = async ({ api }: Running, name: string) =>
  Object(done(await api.get(`${documents}?name=${encodeURIComponent(name)}`)).at('/documents'))

t.test('the console', { ...needsChromium, timeout: 290_000 }, async (t) => {
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

  await t.test('documents are paged, searched by name and state, and deleted when confirmed', async (t) => {
    done(await api.post('/v1/tenants', { id: 'pages' }))
    const names = Array.from({ length: 26 }, (_, index) => `paper ${index + 1}.pdf`)
    await announce(server, 'pages', names)
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, '#/pages/documents')
    const list = rows(page, 'Documents')
    await list.filter({ hasText: 'paper 26.pdf' }).waitFor()
    t.equal(await list.count(), 25)
    await button(page, 'Older').click()
    await link(page, 'paper 1.pdf').waitFor()
    t.equal(await list.count(), 1)
    await button(page, 'Newer').click()
    await link(page, 'paper 26.pdf').waitFor()
    await field(page, 'Search by name').fill('PAPER 7')
    await link(page, 'paper 7.pdf').waitFor()
    await until(async () => (await list.count()) === 1)
    await field(page, 'State').selectOption('Ready')
    await page.getByText('Nothing found.').waitFor()
    await field(page, 'State').selectOption('Processing')
    await button(page, 'Delete paper 7.pdf').click()
    await button(page, 'Cancel').click()
    t.equal(await list.count(), 1)
    await button(page, 'Delete paper 7.pdf').click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing found.').waitFor()
    t.same(Object((await api.get('/v1/tenants/pages/documents?name=paper%207')).at('/documents')).length, 0)
    t.same(complaints, [])
  })

  await t.test('files are chosen or dropped, and those that cannot be read say why', async (t) => {
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, '#/acme/documents')
    const uploads = page.getByRole('region', { name: 'Uploads' }).getByRole('listitem')
    await uploadField(page).setInputFiles([fileOf('chosen.pdf'), fileOf(`${script}.pdf`, Buffer.from('no PDF'))])
    await uploads.filter({ hasText: 'chosen.pdf' }).getByText('Stored').waitFor()
    await uploads.filter({ hasText: script }).getByText('The file is not a PDF.').waitFor()
    await page.evaluate(dropFile('dropped.pdf', pdf.toString('base64')))
    await uploads.filter({ hasText: 'dropped.pdf' }).getByText('Stored').waitFor()
    for (const name of ['chosen.pdf', 'dropped.pdf']) {
      await link(page, name).waitFor()
      const [row] = await named(server, name)
      const { bytes } = done(await api.get(`${documents}/${row.id}/download`))
      t.same(bytes, pdf, `${name} is stored as it was`)
    }
    const failed = rows(page, 'Documents').filter({ hasText: script })
    await failed.getByText('The file is not a PDF.').waitFor()
    await button(page, 'Clear the finished ones').click()
    await uploads.first().waitFor({ state: 'detached' })
    t.equal(await page.evaluate('globalThis.ran'), undefined)
    t.same(complaints, [])
  })

  await t.test('an upload whose connection is cut is resumed for the same document', async (t) => {
    const proxy = await cuttingProxy(t, Number(new URL(url).port))
    const { page, requested, complaints } = await open(t)
    await signIn(page, `http://127.0.0.1:${proxy.port}`, apiToken, '#/acme/documents')
    const large = Buffer.concat([pdf, Buffer.alloc(2_000_000, '% filling\n')])
    const sending = page.waitForRequest('**/upload-proxy')
    await page.route('**/init', async (route) => {
      const answer = await route.fetch()
      proxy.loses = 'requests'
      await route.fulfill({ response: answer })
    })
    await uploadField(page).setInputFiles(fileOf('large.pdf', large))
    await sending
    await page.unroute('**/init')
    // The browser may send the request once more over another connection, which is cut, too.
    await until(async () => {
      proxy.cut()
      return (await page.getByText('The connection broke.').count()) === 1
    })
    const [before, ...others] = await named(server, 'large.pdf')
    t.equal(before.state, 'pending')
    t.same(others, [])
    proxy.loses = undefined
    proxy.cut()
    // It may have been tried again by itself.
    await button(page, 'Resume now')
      .click({ timeout: 3_000 })
      .catch(() => {})
    await page.getByRole('region', { name: 'Uploads' }).getByText('Stored').waitFor()
    const [after, ...more] = await named(server, 'large.pdf')
    t.match(after, { id: before.id, state: 'ready', storageSizeBytes: large.length })
    t.same(more, [])
    t.ok(requested.filter((address) => address.endsWith('/upload-proxy')).length >= 2)
    t.same(bugsIn(complaints), [])
  })

  await t.test('a document is opened in the viewer by a token of its own, which no address keeps', async (t) => {
    const { page } = await open(t)
    await signIn(page, url, apiToken, '#/acme/documents')
    const [viewer] = await Promise.all([page.waitForEvent('popup'), button(page, 'Open agreement').click()])
    await viewer.locator('.page img').first().waitFor()
    t.match(viewer.url(), `${url}/view/agreement`)
    t.notMatch(viewer.url(), 'token')
    t.equal(await viewer.evaluate('opener'), null)
  })

  await t.test('layers, versions and the audit log of a document, with hostile names', async (t) => {
    const id = await server.upload(pdf)
    const token = await server.documentToken(id, ['*'], { sub: script, layerName: 'legal' })
    const layer = { docId: id, layerName: 'legal' }
    for (const [client, opId] of [
      [api, 'first'],
      [api.as(token), 'second'],
    ] as const) {
      t.same(outcomes(await change(client, layer, { opId, ops: [titled(opId)] })), ['applied'])
    }
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, `#/acme/documents/${id}/layers`)
    await rows(page, 'Layers').filter({ hasText: 'default' }).getByText('Not edited').waitFor()
    await rows(page, 'Layers').filter({ hasText: 'legal' }).getByText('2 edits').waitFor()
    await link(page, 'Versions').click()
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, `Download ${id} (1)`).click()])
    t.same(readFileSync(await download.path()), pdf)
    await link(page, 'Audit log').click()
    await rows(page, 'Audit log').filter({ hasText: script }).waitFor()
    await field(page, 'Person or program').fill('api')
    await page.keyboard.press('Enter')
    await rows(page, 'Audit log').filter({ hasText: script }).waitFor({ state: 'detached' })
    t.equal(await rows(page, 'Audit log').count(), 1)
    await field(page, 'Layer').fill('other')
    await button(page, 'Filter').click()
    await page.getByText('Nothing found.').waitFor()
    t.equal(await page.evaluate('globalThis.ran'), undefined)
    t.same(complaints, [])
  })

  await t.test('a share is made with limits, shown once, used, disabled and revoked', async (t) => {
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, `#/acme/documents/${docId}/shares`)
    await button(page, 'New share').click()
    await field(page, 'Print').check()
    await field(page, 'Valid for').selectOption('A week')
    await field(page, 'Passphrase (optional)').fill('friend')
    await button(page, 'Create').click()
    const address = await field(page, 'Link').inputValue()
    t.match(address, `${url}/s/shr_`)
    await button(page, 'Close').click()
    t.equal(await page.getByText(address).count(), 0)
    const [share] = Object(done(await api.get(`/v1/tenants/acme/shares?docId=${docId}`)).at('/shares'))
    t.match(share, { passwordProtected: true, disabled: false })
    t.ok(share.scope.includes('doc.print') && !share.scope.includes('doc.download'))
    t.ok(Math.abs(share.expiresAt - share.createdAt - 7 * 24 * 3600_000) < 3600_000)
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

  await t.test('a token is made with limits, shown once, and revoked', async (t) => {
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, '#/acme/tokens')
    await button(page, 'New token').click()
    await field(page, 'Person or program').fill('ada')
    await field(page, 'Document id').fill(docId)
    await field(page, 'Download').check()
    await button(page, 'Create').click()
    const token = await field(page, 'Token').inputValue()
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
          ['#/acme/documents/agreement/shares', 'New share'],
        ] as const) {
          await page.evaluate(`location.hash = '${place}'`)
          await page.getByText(shown, { exact: true }).first().waitFor()
          await judge(place)
        }
        await button(page, 'New share').click()
        await dialog(page).waitFor()
        await judge('dialog')
      },
    )
  }

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

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error('It did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
