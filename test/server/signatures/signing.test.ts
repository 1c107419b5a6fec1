// Signing over HTTP, judged by independent programs: every kind of base, certification, appearance, timestamp, and several
// signatures of one document.
import t, { type Test } from 'tap'
import { everyBase } from '../../support/pdf/bases.js'
import { twoPages } from '../../support/pdf/damaged-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { timestampOver } from '../../support/signing/timestamp-token.js'
import { change, layerPath, outcomes, titled, titleOf } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import {
  cmsOver,
  complete,
  download,
  field,
  opensslVerifies,
  popplerVerdicts,
  prepare,
  prepareWith,
  qpdfAccepts,
  sign,
  signedBytes,
} from './support/signing.js'

const judges = needs('pdfsig', 'pdftoppm', 'qpdf', 'pikepdf', 'openssl')
if (judges.skip) t.plan(0, judges.skip)
else await run()

async function run(): Promise<void> {
  const { api, upload } = await runServer(t)
  for (const { name, bytes, password } of everyBase()) {
    t.test(`a signature over a file with ${name} is valid, and the file its prefix`, async (t) => {
      const docId = await upload(bytes)
      const headers = password === undefined ? {} : { 'x-document-password': Buffer.from(password).toString('base64') }
      const client = { api, docId, headers }
      const edit = { changes: [{ opId: 'edit', ops: [titled('Signed with this title')] }] }
      t.same(outcomes(await api.post(`${layerPath({ docId })}/changes`, edit, headers)), ['applied'])
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

  t.test('a certification is named by the catalog, and limits what may be changed', async (t) => {
    for (const permission of [1, 2, 3]) {
      const docId = await upload(onePage(`% certified ${permission}`))
      await sign({ api, docId }, { ...field('author'), certify: { permission } })
      const file = await download({ api, docId })
      t.match(popplerVerdicts(t, file), [{ isValid: true, isTotal: true }])
      const { path } = Workshop.of(t).source(file)
      const script = [
        'import pikepdf, sys',
        'root = pikepdf.open(sys.argv[1]).Root',
        'signature = root.Perms.DocMDP',
        'assert signature.objgen == root.AcroForm.Fields[0].V.objgen',
        'assert root.AcroForm.SigFlags == 3',
        'print(signature.Reference[0].TransformMethod, signature.Reference[0].TransformParams.P)',
      ]
      t.equal(judged('pikepdf', ['-c', script.join('\n'), path]).toString(), `/DocMDP ${permission}\n`)
    }
  })

  t.test('a visible signature shows the page that was sent as its appearance', async (t) => {
    const docId = await upload(onePage('', { page: '/Rotate 90' }))
    const widget = {
      page: { kind: 'objectNumber', objectNumber: 3 },
      rect: { x: 50, y: 40, width: 100, height: 50 },
    }
    const made = await change(
      api,
      { docId },
      {
        opId: 'field',
        ops: [{ type: 'forms.create', draft: { family: 'signature', name: 'visible', widgets: [widget] } }],
      },
    )
    t.same(outcomes(made), ['applied'], made.text)
    const prepared = await prepareWith({ api, docId }, field('visible'), onePage('1 0 0 rg 0 0 300 200 re f')).then(
      done,
    )
    await complete({ api, docId }, prepared).then(done)
    const file = await download({ api, docId })
    t.match(popplerVerdicts(t, file), [{ isValid: true, isTotal: true }])
    const isRed = redPixels(t, file)
    // The page is rotated: 200 wide, 300 high.
    t.ok(isRed(200 - 65, 100), 'inside')
    t.notOk(isRed(200 - 65, 20), 'outside')
    t.equal((await api.get(`${layerPath({ docId })}/render/fields/pages/obj:3/data`)).status, 200)
  })

  t.test('name, reason, place and time are in the dictionary', async (t) => {
    const docId = await upload(onePage('% texts'))
    const signer = {
      name: 'Ada Lovelace',
      reason: 'Prüfung',
      location: '東京',
      contactInfo: 'a@b.example',
      signedAt: '2026-01-31T12:00:00+02:00',
    }
    const completed = await sign({ api, docId }, { ...field('f'), signer })
    t.match(completed.at('/signature/signer'), signer)
    t.match(popplerVerdicts(t, await download({ api, docId }))[0]?.text, /Signing Time: Jan 31 2026/)
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

  t.test('a document timestamp is a signature of its own type', async (t) => {
    const docId = await upload(onePage('% stamped'))
    const prepared = await prepare({ api, docId }, { ...field('stamp'), kind: 'timestamp' }).then(done)
    t.equal(prepared.at('/subFilter'), 'ETSI.RFC3161')
    const { token, verify } = timestampOver(t, prepared.word('/digest'))
    const completed = await complete({ api, docId }, prepared, { cms: token }).then(done)
    t.match(completed.at('/signature'), { kind: 'timestamp', subFilter: 'ETSI.RFC3161' })
    const file = await download({ api, docId })
    verify(signedBytes(file, prepared.at('/byteRange')))
    t.match(popplerVerdicts(t, file), [{ isTotal: true }])
    qpdfAccepts(t, file)
  })

  t.test('two layers sign in turn, with edits between, and every signature stays valid', async (t) => {
    const docId = await upload(onePage('% three'))
    const [first, second] = [
      { api, docId },
      { api, docId, layerName: 'second' },
    ]
    for (const [index, client] of [first, second, second].entries()) {
      const edited = await change(api, client, { opId: `edit-${index}`, ops: [titled(`Title ${index}`)] })
      t.same(outcomes(edited), ['applied'], edited.text)
      await sign(client, field(`signature ${index}`))
      const verdicts = popplerVerdicts(t, await download(client))
      t.same(
        verdicts.map(({ isValid, isTotal }) => [isValid, isTotal]),
        Array.from({ length: index + 1 }, (_, at) => [true, at === index]),
      )
    }
    t.equal(await titleOf(api, second), 'Title 2')
    const versions = (await api.get(`/v1/docs/${docId}/versions`)).json()
    t.match(versions, {
      versions: [
        { number: 1, producer: 'upload', parentSha256: null, signingId: null },
        { number: 2, producer: 'signature' },
        { number: 3, producer: 'signature' },
        { number: 4, producer: 'signature' },
      ],
    })
    const { versions: list, head } = Object(versions)
    t.same(
      list.slice(1).map(({ parentSha256 }: { parentSha256: string }) => parentSha256),
      list.slice(0, -1).map(({ sha256 }: { sha256: string }) => sha256),
    )
    t.equal(head, list.at(-1).sha256)
    for (const { sha256 } of list) t.equal((await api.get(`/v1/docs/${docId}/versions/download/${sha256}`)).status, 200)
    t.equal((await api.get(`/v1/tenants/acme/documents/${docId}`)).at('/document/baseSha'), head)
    t.match((await api.get(`/v1/tenants/acme/documents/${docId}/thumbnail`)).headers.get('etag'), head)
  })
}

/** Draws the first page at one pixel a point. */
function redPixels(t: Test, file: Uint8Array): (x: number, y: number) => boolean {
  const { path } = Workshop.of(t).source(file)
  const picture = judged('pdftoppm', ['-r', '72', '-singlefile', path])
  const [header = '', width = ''] = /^P6\s(\d+)\s\d+\s255\s/.exec(picture.subarray(0, 40).toString('latin1')) ?? []
  return (x, y) => {
    const at = header.length + 3 * (y * Number(width) + x)
    return picture.subarray(at, at + 3).equals(Buffer.from([255, 0, 0]))
  }
}
