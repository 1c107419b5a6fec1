// Signatures and attached files on the page of a document.
import t from 'tap'
import { runServer } from '../server/support/running-server.js'
import { needsChromium, openWindow, startBrowser } from '../support/browser.js'
import { rawPdf } from '../support/pdf/raw-pdf.js'
import { signedPdf } from '../support/pdf/signed-pdf.js'
import { bugsIn, button, share, show } from './viewer-page.js'

t.test('details of a document in a browser', { ...needsChromium, timeout: 580_000 }, async (t) => {
  const server = await runServer(t)
  const browser = await startBrowser(t)
  const { url } = server

  await t.test('each verdict on a signature is said', async (t) => {
    const intact = signedPdf({ signature: '/M(D:20260101000000Z)' })
    const at = intact.indexOf('/MediaBox')
    const broken = Buffer.from(intact)
    broken[at + 1] = 'X'.charCodeAt(0)
    for (const [pdf, verdict] of [
      [intact, 'What was signed is unchanged.'],
      [broken, 'What was signed was changed afterwards.'],
    ] as const) {
      const { page } = await openWindow(t, browser)
      await show(page, `${url}/s/${await share(server, await server.upload(pdf))}`)
      await page.getByRole('tab', { name: 'Details' }).click()
      await page.getByText(verdict).waitFor()
      await page.getByText('Whether the signer can be trusted is not known.').waitFor()
      await page.getByText('When it was signed is what the signer says.').waitFor()
      await page.getByText('No files are attached.').waitFor()
    }
  })

  await t.test('attached files are saved, with the right to download', async (t) => {
    const docId = await server.upload(
      rawPdf({
        1: '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(B\\374cher <1>)4 0 R]>>>>>>',
        2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 100 100]>>',
        3: '<</Type/Page/Parent 2 0 R>>',
        4: '<</Type/Filespec/F(a.txt)/UF(notes.txt)/Desc(Notes of <b>ours</b>)/EF<</F 5 0 R>>>>',
        5: { body: '<<>>', stream: 'The notes' },
      }),
    )
    const { page, complaints } = await openWindow(t, browser, { acceptDownloads: true })
    await show(page, `${url}/s/${await share(server, docId)}`)
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByText('Notes of <b>ours</b>').waitFor()
    const arrives = page.waitForEvent('download')
    await page.locator('.file').getByRole('button', { name: 'Download' }).click()
    const download = await arrives
    t.equal(download.suggestedFilename(), 'notes.txt')
    const chunks = await (await download.createReadStream()).toArray()
    t.equal(Buffer.concat(chunks).toString(), 'The notes')
    t.same(bugsIn(complaints), [])

    const reader = await openWindow(t, browser)
    const scope = ['doc.open', 'doc.render']
    await show(reader.page, `${url}/s/${await share(server, docId, { scope })}`)
    await reader.page.getByRole('tab', { name: 'Details' }).click()
    await reader.page.getByText('notes.txt').waitFor()
    t.equal(await button(reader.page, 'Download').count(), 0)
  })
})
