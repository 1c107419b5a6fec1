// Runs every op on files with every kind of encryption: the download opens with the password, and every stream decodes.
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { encryptedPdf, type Scheme, schemes } from '../../support/pdf/encrypted-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import { type Sample, samples } from './samples.js'

/** Checks that external programs read the file completely and without warnings. */
function judge(t: Test, path: string, { user, isWithoutId = false }: Scheme, name: string): void {
  const checked = spawnSync('qpdf', [`--password=${user}`, '--check', path])
  const complaints = checked.stderr.toString().replace(isWithoutId ? /.*(invalid \/ID|with warnings).*/g : /$^/, '')
  t.ok(checked.status === (isWithoutId ? 3 : 0) && complaints.trim() === '', `${name}, qpdf: ${complaints}`)
  const text = spawnSync('pdftotext', ['-upw', user, path, '-'])
  // Warnings that the unedited samples cause as well are ignored.
  t.notMatch(
    text.stderr.toString().replace(/.*(Bad Annot|Unknown font tag).*/g, ''),
    /Error|Warning/i,
    `${name}, poppler`,
  )
  const cleaned = spawnSync('mutool', ['clean', '-d', '-p', user, path, `${path}.clean`], { timeout: 20_000 })
  const warned = cleaned.stderr.toString().replace(isWithoutId ? /.*missing file identifier.*/g : /$^/, '')
  t.notMatch(warned, /error|warning/i, `${name}, mutool`)
}

async function changed(t: Test, { pdf, op, before, resources = {} }: Sample, scheme: Scheme): Promise<void> {
  const layer = layerOf(t, encryptedPdf(pdf(), scheme), scheme.user === '' ? {} : { password: scheme.user })
  if (before !== undefined) await layer.change({ ops: before, resources })
  await layer.change({ ops: [op], resources })
  judge(t, layer.sent(), scheme, `${op.type}, ${scheme.name}`)
}

const programs = needs('qpdf', 'pdftotext', 'mutool')

t.test('external programs can decrypt the files of this test', programs, async (t) => {
  for (const scheme of schemes) {
    const layer = layerOf(t, encryptedPdf(onePage('BT ET', { page: '/Note(a)' }), scheme), { password: scheme.owner })
    judge(t, layer.sent(), scheme, scheme.name)
  }
})

t.test(
  'an edited layer of an encrypted document is downloaded as a file that opens and decodes',
  { ...programs, timeout: longTimeoutMs },
  async (t) => {
    const all = schemes.flatMap((scheme) => samples.map((sample) => ({ scheme, sample })))
    const chosen = isLong ? all : fc.sample(fc.constantFrom(...all), { seed, numRuns: 15 })
    for (const { scheme, sample } of chosen) await changed(t, sample, scheme)
  },
)

t.test('deleted pages cause no errors under any scheme', programs, async (t) => {
  const deletion = samples.find(({ op }) => op.type === 'pages.delete')
  if (deletion === undefined) throw new Error('No sample deletes a page')
  for (const scheme of schemes) await changed(t, deletion, scheme)
})

t.test('empty streams and strings are encrypted according to the standard', programs, async (t) => {
  for (const scheme of schemes) {
    const layer = layerOf(t, encryptedPdf(onePage('0 0 9 9 re f'), scheme), { password: scheme.owner })
    await layer.alter((change) => {
      const page = change.touch(change.pdf.findPage(0))
      page.put('Empty', change.pdf.newString(''))
      page.put('Full', change.pdf.newString('full'))
      page.put('Contents', change.pdf.addStream('', {}))
    })
    const path = layer.sent()
    judge(t, path, scheme, scheme.name)
    const password = `--password=${scheme.user}`
    t.match(judged('qpdf', [password, '--show-object=3', path]).toString(), /\/Empty \(\).*\/Full \(full\)/)
    t.equal(judged('qpdf', [password, '--show-object=5', '--filtered-stream-data', path]).length, 0)
  }
})

/** A mark over an empty region, and beside it an annotation whose appearance is empty. */
const emptyAppearance = (): Buffer =>
  onePage('0 0 9 9 re f', {
    page: '/Annots[5 0 R 6 0 R]',
    further: {
      5: '<</Type/Annot/Subtype/Redact/Rect[200 150 210 160]>>',
      6: '<</Type/Annot/Subtype/Square/Rect[20 20 60 60]/AP<</N 7 0 R>>>>',
      7: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode>>', stream: '' },
    },
  })

t.test('empty streams of a redacted file are encrypted correctly under any scheme', programs, async (t) => {
  for (const scheme of schemes) {
    await changed(t, { pdf: emptyAppearance, op: { type: 'redactions.apply' } }, scheme)
  }
})
