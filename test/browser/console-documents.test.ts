// Documents in the console: lists, uploads that are cut and resumed, and what a document has.
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import { change, outcomes, titled } from '../server/changes/support/changing.js'
import { done, runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser, type Window } from '../support/browser.js'
import { cuttingProxy } from '../support/engines/cutting-proxy.js'
import { eventually } from '../support/eventually.js'
import {
  announce,
  bugsIn,
  button,
  dialog,
  documents,
  field,
  fileOf,
  link,
  named,
  pdf,
  rows,
  script,
  signIn,
  uploadField,
} from './console-page.js'
import { dropFile } from './in-page.js'

t.test('the documents of the console', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const { api, url, apiToken } = server
  const browser: Browser = await startBrowser(t)
  const open = (t: Test, options = {}): Promise<Window> => openWindow(t, browser, options)
  await server.upload(pdf, { docId: 'agreement' })

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
    await eventually(async () => (await list.count()) === 1)
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
    await eventually(async () => {
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
    await rows(page, 'Layers').filter({ hasText: 'legal' }).getByText('Edits: 2').waitFor()
    await link(page, 'Versions').click()
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, `Download ${id} (1)`).click()])
    t.same(readFileSync(await download.path()), pdf)
    await link(page, 'Audit log').click()
    await rows(page, 'Audit log').filter({ hasText: script }).waitFor()
    await field(page, 'Person or program').fill('api')
    await page.keyboard.press('Enter')
    await rows(page, 'Audit log').filter({ hasText: script }).waitFor({ state: 'detached' })
    t.equal(await rows(page, 'Audit log').count(), 1)
    await page.getByRole('button', { name: /^Undo what api did/ }).click()
    await dialog(page).getByRole('button', { name: 'Undo' }).click()
    await rows(page, 'Audit log').nth(1).waitFor()
    await dialog(page).waitFor({ state: 'detached' })
    await field(page, 'Layer').fill('other')
    await button(page, 'Filter').click()
    await page.getByText('Nothing found.').waitFor()
    t.equal(await page.evaluate('globalThis.ran'), undefined)
    t.same(complaints, [])
  })

  await t.test('changes and reads are told in words, recorded on request, and saved as files', async (t) => {
    const id = await server.upload(pdf)
    const ada = api.as(await server.documentToken(id, ['*'], { sub: 'Ada', identity: { userId: 'ada' } }))
    const bob = api.as(await server.documentToken(id, ['*'], { sub: 'Bob', identity: { userId: 'bob' } }))
    const square = { subtype: 'square', rect: { x: 10, y: 10, width: 20, height: 20 } }
    const [page3] = (await api.get(`/v1/docs/${id}/layers/default/layout`)).at('/pages') as [{ readonly ref: object }]
    const ops = [{ type: 'annotations.create', page: page3.ref, data: square }]
    const made = await change(ada, { docId: id }, { opId: 'made', ops })
    const ref = made.at('/changes/0/result/items/0/annotation/ref')
    await change(bob, { docId: id }, { opId: 'gone', ops: [{ type: 'annotations.delete', ref }] })
    const { page, complaints } = await open(t)
    await signIn(page, url, apiToken, `#/acme/documents/${id}/audit`)
    await rows(page, 'Audit log').getByText('Ada created annotations, page 1').waitFor()
    await rows(page, 'Audit log').getByText('Bob removed annotations of ada, page 1').waitFor()
    const [csv] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as CSV').click()])
    t.match(readFileSync(await csv.path(), 'utf8'), /^id,time,sub,kind/)
    await page.evaluate("location.hash = '#/acme/documents'")
    await button(page, 'Record reads').click()
    await page.locator('button[aria-pressed=true]').waitFor()
    await bob.get(`/v1/docs/${id}/layers/default/download`)
    await page.evaluate(`location.hash = '#/acme/documents/${id}/reads'`)
    await rows(page, 'Who read what').getByText('Bob downloaded a file').waitFor()
    const [lines] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as NDJSON').click()])
    t.match(readFileSync(await lines.path(), 'utf8'), '"kind":"downloaded"')
    await api.send('/v1/tenants/acme', { method: 'PATCH', json: { auditReads: false } })
    t.same(complaints, [])
  })
})
