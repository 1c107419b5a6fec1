// Signing over HTTP, judged by programs that know nothing of this server: every kind of base, certification, appearance,
// timestamp, and several signatures of one document.
import t from 'tap'
import { everyBase } from '../../support/pdf/bases.js'
import { twoPages } from '../../support/pdf/damaged-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { layerPath } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import {
  cmsOver,
  complete,
  download,
  field,
  opensslVerifies,
  popplerVerdicts,
  prepare,
  qpdfAccepts,
  sign,
} from './support/signing.js'

const judges = needs('pdfsig', 'qpdf', 'openssl')
if (judges.skip) t.plan(0, judges.skip)
else await run()

async function run(): Promise<void> {
  const { api, upload } = await runServer(t)
  const square = (page = 3) => ({
    type: 'annotations.create',
    data: { subtype: 'square', box: { x: 20, y: 20, width: 40, height: 40 } },
    page: { kind: 'objectNumber', objectNumber: page },
  })

  for (const { name, bytes, password } of everyBase()) {
    t.test(`a signature over a file with ${name} is valid, and the file its prefix`, async (t) => {
      const docId = await upload(bytes)
      const headers = password === undefined ? {} : { 'x-document-password': Buffer.from(password).toString('base64') }
      const client = { api, docId, headers }
      const edited = await api.post(`${layerPath({ docId })}/annotations/pages/obj:3/items`, square().data, headers)
      t.equal(edited.status, 200, edited.text)
      const prepared = await prepare(client, field('approval')).then(done)
      const cms = cmsOver(prepared)
      const completed = await complete(client, prepared, { cms }).then(done)
      const file = await download(client)
      t.ok(file.subarray(0, bytes.length).equals(bytes), 'the upload is the beginning')
      t.match(popplerVerdicts(t, file, password), [{ isValid: true, isTotal: true }])
      opensslVerifies(t, file, cms, prepared.at('/byteRange'))
      qpdfAccepts(t, file, password)
      t.equal(completed.at('/version/byteLength'), file.length)
    })
  }

  t.test('a damaged file is signed over its working copy', async (t) => {
    const whole = twoPages()
    const damaged = Buffer.from(whole.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
    const docId = await upload(damaged)
    await sign({ api, docId }, field('approval'))
    const file = await download({ api, docId })
    t.match(popplerVerdicts(t, file), [{ isValid: true, isTotal: true }])
    qpdfAccepts(t, file)
  })

  t.test('subfilter, digest and contents size are those of the request', async (t) => {
    for (const subFilter of ['adbe.pkcs7.detached', 'ETSI.CAdES.detached']) {
      for (const digest of ['sha256', 'sha384', 'sha512']) {
        const docId = await upload(onePage(`% ${subFilter} ${digest}`))
        const prepared = await prepare({ api, docId }, { ...field('f'), subFilter, digest, contentsSize: 4096 }).then(
          done,
        )
        t.match(prepared.json(), { subFilter, algorithm: digest, contentsSize: 4096 })
        await complete({ api, docId }, prepared).then(done)
        const [verdict] = popplerVerdicts(t, await download({ api, docId }))
        t.match(verdict, { isValid: true })
        t.match(verdict?.text, digest.toUpperCase().replace('SHA', 'SHA-'))
      }
    }
  })
}
