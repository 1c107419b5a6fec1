// Rich text in XFDF: paragraphs, alignment, direction and styles come in as they are in the file.
import t from 'tap'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { page } from '../../workers/annotations/support/drafts.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { exchangeWith, xfdf, xfdfType } from './support/exchange.js'

const server = await runServer(t)
const { api } = server
const { importInto, exported, listed } = exchangeWith(api)

/** Rich text in the dialect of the most common program. */
const rich = (paragraphs: string) =>
  `<contents-richtext><body xmlns="http://www.w3.org/1999/xhtml" xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"
    xfa:APIVersion="Acrobat:23.0.0" xfa:spec="2.0.2" style="font-size:18pt;color:#FF0000;text-align:center">${paragraphs}</body></contents-richtext>`

t.test('paragraphs of notes and of text on the page stay apart, with their styles', async (t) => {
  const file = xfdf(`
    <text page="0" rect="10,10,30,30">${rich('<p dir="ltr"><span>Pay 100</span></p><p dir="ltr"><span>200 is wrong</span></p>')}</text>
    <text page="0" rect="10,10,30,30">${rich('<div><p>Pay 100</p><p>200 is wrong</p></div>')}</text>
    <text page="0" rect="10,10,30,30"><contents-richtext>no body</contents-richtext></text>
    <freetext page="0" rect="50,50,150,90">${rich('<p>Pay 100</p><p style="text-align:right" dir="rtl">200 <b>is</b> wrong</p>')}</freetext>`)
  const docId = await server.upload(onePage(''))
  t.match((await importInto(docId, file).then(done)).at('/created'), [
    { contents: 'Pay 100\n200 is wrong' },
    { contents: 'Pay 100\n200 is wrong' },
    { contents: 'no body' },
    {
      contents: 'Pay 100\n200 is wrong',
      richText: {
        body: { size: 18, color: '#ff0000', align: 'center' },
        paragraphs: [
          { align: 'center', dir: 'ltr', runs: [{ text: 'Pay 100' }] },
          {
            align: 'right',
            dir: 'rtl',
            runs: [{ text: '200 ' }, { text: 'is', style: { weight: 700 } }, { text: ' wrong' }],
          },
        ],
      },
    },
  ])
})

t.test('rich text comes back into a copy as it was', async (t) => {
  const [docId, copy] = [await server.upload(onePage('')), await server.upload(onePage(''))]
  const data = {
    subtype: 'free-text',
    rect: { x: 20, y: 20, width: 150, height: 60 },
    richText: {
      body: { size: 14, script: 'super' },
      paragraphs: [
        { align: 'center', dir: 'ltr', runs: [{ text: 'Pay ' }, { text: '100', style: { italic: true } }] },
        { align: 'right', dir: 'rtl', runs: [{ text: 'שלום' }] },
      ],
    },
  }
  const made = await change(api, { docId }, { opId: 'make', ops: [{ type: 'annotations.create', page, data }] })
  t.same(outcomes(made), ['applied'])
  const answer = await importInto(copy, await exported(docId)).then(done)
  t.same(answer.at('/created/0/richText'), (await listed(docId))[0]?.['richText'])
})

t.test('a value in rich text has a line for every paragraph', async (t) => {
  const docId = await server.upload(formPdf())
  const body = '<body xmlns="http://www.w3.org/1999/xhtml"><p>one</p><p>two</p></body>'
  const path = `${layerPath({ docId })}/form/values`
  const file = xfdf('', `<fields><field name="multi"><value-richtext>${body}</value-richtext></field></fields>`)
  await api.send(path, { method: 'POST', body: file, headers: { 'content-type': xfdfType } }).then(done)
  t.match((await api.get(path).then(done)).at('/values'), { multi: 'one\ntwo' })
})
