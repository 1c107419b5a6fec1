// Texts with characters that are difficult for PDF encodings are read back as sent, or refused.
import t from 'tap'
import { opContracts } from '../../../workers/contract/ops/index.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import { textPlacesIn } from '../../support/text-places.js'

const widget = '/Type/Annot/Subtype/Widget/F 4/P 3 0 R'
const pdf = rawPdf({
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/DA(/Helv 9 Tf)>>>>',
  2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
  3: '<</Type/Page/Parent 2 0 R/Annots[4 0 R 5 0 R 6 0 R]>>',
  4: '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(note)/P 3 0 R>>',
  5: `<<${widget}/FT/Tx/Ff 4096/T(text)/Rect[50 10 150 30]>>`,
  6: `<<${widget}/FT/Ch/Ff 131072/T(choice)/Opt[(a)]/Rect[50 50 150 70]>>`,
})

const controls = `${Array.from({ length: 31 }, (_, before) => String.fromCharCode(before + 1)).join('')}\x7f`
const awkward = [controls, `a${controls}ä€\u{1f600}`, '\x18', '\x1b[0m', 'a\u0085\u00ad\u00a0b', '\u02d8\ufffd\uffff']
const note = { kind: 'objectNumber', page: pageRef(3), objectNumber: 4 }
const field = (objectNumber: number) => ({ kind: 'objectNumber', objectNumber })

t.test('control characters are read back as sent, in every position', async (t) => {
  for (const text of awkward) {
    const layer = layerOf(t, pdf)
    await layer.apply(
      { type: 'annotations.update', ref: note, patch: { contents: text, subject: text } },
      { type: 'forms.setValue', field: field(5), value: { value: text } },
      { type: 'forms.update', field: field(5), patch: { family: 'text', alternateName: text, mappingName: text } },
      {
        type: 'forms.update',
        field: field(6),
        patch: { family: 'combobox', options: [{ value: text, label: `${text}.` }] },
      },
      { type: 'pages.setName', page: pageRef(3), name: text },
      { type: 'metadata.update', patch: { title: text, keywords: text } },
      { type: 'metadata.updateCustom', patch: { Own: text } },
    )
    const reads = layer.reads(t)
    t.match(reads.annotations(3).annotations[0], { contents: text, subject: text })
    const [first, second] = reads.form().fields
    t.match(first, { value: text, alternateName: text, mappingName: text })
    t.match(second, { options: [{ value: text, label: `${text}.` }] })
    t.same(reads.customMetadata(), { Own: text })
    t.match(reads.metadata(), { title: text, keywords: text })
    t.equal(reads.layout().namedPages[0]?.name, text)
  }
})

t.test('external programs read the same text', needs('qpdf'), async (t) => {
  const layer = layerOf(t, pdf)
  await layer.apply({ type: 'annotations.update', ref: note, patch: { contents: 'a\x1bb', subject: 'plain\ttext' } })
  const object = judged('qpdf', ['--show-object=4', layer.sent()]).toString()
  t.match(object, '/Contents <feff0061001b0062>')
  t.match(object, '/Subj (plain\\ttext)')
})

t.test('a text with U+0000 is refused in every member of every op, and changes nothing', async (t) => {
  let tried = 0
  for (const { type, op } of opContracts) {
    const layer = layerOf(t, pdf)
    for (const { pointer, withText } of textPlacesIn(op)) {
      tried++
      const refusal = { code: 'InvalidArg', details: { pointer } }
      await t.rejects(layer.apply({ ...Object(withText('kept\0lost')), type }), refusal, `${type} ${pointer}`)
    }
    t.same(layer.images, [])
  }
  t.ok(tried > 300, `${tried} places`)
})
