// Download of an edited layer: the unchanged bytes of its base, followed by one incremental section that other programs
// can read.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { Change } from '../../../workers/change/change.js'
import type { OpenDocument } from '../../../workers/document/open-document.js'
import { openFile } from '../../../workers/document/open-file.js'
import { type Base, everyBase, generationsBase, generationsInStreamBase } from '../../support/pdf/bases.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'

const layerOn = (t: Test, { bytes, password }: Base): ChangingLayer =>
  layerOf(t, bytes, password === undefined ? {} : { password })

const passwordOf = ({ password }: Base): { password?: Uint8Array } =>
  password === undefined ? {} : { password: Buffer.from(password) }

/** Edits a page, an annotation, an existing stream and the title, adds a stream and hides an object. */
function edit(change: Change): void {
  const { pdf } = change
  const [first, second] = [pdf.findPage(0), pdf.findPage(1)]
  change.touch(first).put('Rotate', 90)
  change.touch(second.get('Contents')).writeStream('BT /F1 18 Tf 30 100 Td (Other words) Tj ET')
  const appearance = pdf.addStream('1 0 0 rg 0 0 60 40 re f', {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, 60, 40],
  })
  const square = pdf.addObject({ Type: 'Annot', Subtype: 'Square', Rect: [20, 20, 80, 60], AP: { N: appearance } })
  square.put('Contents', pdf.newString('Ünïcode (note)'))
  square.put('P', pdf.newIndirect(second.asIndirect()))
  change.touch(second).put('Annots', [square])
  change.touchInfo().put('Title', pdf.newString('Edited'))
  const hidden = change.create(pdf.newString('hidden words'))
  change.hide(hidden)
}

const describe = ({ pdf }: OpenDocument, images: ChangingLayer['images']): readonly string[] =>
  images
    .filter(({ number, isHidden }) => number > 0 && !isHidden)
    .map(({ number }) => {
      const object = pdf.newIndirect(number)
      const stream = object.isStream() ? object.readStream().asString() : ''
      // Images have the correct generation; objects of the engine keep the generation they were created with.
      return `${number} ${object.resolve().toString(true)} ${stream}`.replace(/\/Length \d+|(?<=\d )\d+ R/g, '')
    })

t.test(
  'external programs read the section appended to every kind of base',
  needs('qpdf', 'pdfinfo', 'pdftotext'),
  async (t) => {
    for (const base of everyBase()) {
      await t.test(base.name, async (t) => {
        const layer = layerOn(t, base)
        await layer.alter(edit)
        const hot = await layer.open((document) => describe(document, layer.images))
        const path = layer.sent()
        t.ok(readFileSync(path).subarray(0, base.bytes.length).equals(base.bytes), 'the base is unchanged')

        const password = base.password ?? ''
        t.match(
          judged('qpdf', [`--password=${password}`, '--check', path]).toString(),
          /No syntax or stream encoding errors/,
        )
        const facts = judged('pdfinfo', ['-l', '2', '-upw', password, '-opw', password, path]).toString()
        t.match(facts, /Title:\s+Edited/)
        t.match(facts, /Page\s+1 rot:\s+90/)
        const words = judged('pdftotext', ['-upw', password, '-opw', password, path, '-']).toString()
        t.match(words, /First page[\s\S]*Other words/)

        const sent = openFile({ path, ...passwordOf(base) })
        const bare = openFile({ path: layer.basePath, ...passwordOf(base) })
        t.notOk(sent.pdf.wasRepaired())
        t.equal(sent.pdf.countVersions(), bare.pdf.countVersions() + 1)
        t.same(describe(sent, layer.images), hot, 'the download equals the open copy')
        t.notMatch(layer.section().toString('latin1'), /hidden words/)
        for (const document of [sent, bare]) document.destroy()

        layer.cold()
        t.same(
          await layer.open((document) => describe(document, layer.images)),
          hot,
          'the reopened layer equals the open copy',
        )
        await layer.alter((change) => change.touch(change.pdf.findPage(0)).put('Rotate', 180))
        judged('qpdf', [`--password=${password}`, '--check', layer.sent()])
      })
    }
  },
)

t.test('the same edits of the same file result in the same bytes, whatever other layers do', async (t) => {
  const layer = layerOf(t, generationsBase())
  await layer.alter(edit)
  const section = layer.section()
  layer.passNumbers(50)
  layer.cold()
  t.ok(layer.section().equals(section))
})

t.test('an overridden object keeps its generation, and references use it', needs('qpdf'), async (t) => {
  for (const bytes of [generationsBase(), generationsInStreamBase()]) {
    const layer = layerOf(t, bytes)
    await layer.alter(edit)
    const section = layer.section().toString('latin1')
    for (const expected of [/\n5 2 obj\n/, /\n6 1 obj\n/, /\/P 5 2 R/, /\n3 0 obj\n/]) t.match(section, expected)
    const json = judged('qpdf', ['--json=2', '--json-key=qpdf', layer.sent()]).toString()
    t.match(json, /"obj:5 2 R"/)
    t.notMatch(json, /"obj:5 0 R"/)
  }
})
