// Revisions: each is a prefix of the file that is the document at that time.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { revisions } from '../../../workers/jobs/revisions.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const say = (word: string): string => `BT /F1 12 Tf 20 100 Td (${word}) Tj ET`
const first = onePage(say('One'), { resources: helvetica })

/** Appends an incremental update with a new object 4. */
function updated(base: Buffer, content: string): Buffer {
  const before = base.toString('latin1')
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(before)?.[1]
  const object = `4 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n`
  const place = String(before.length).padStart(10, '0')
  const start = before.length + object.length
  const section = `xref\n4 1\n${place} 00000 n \ntrailer\n<</Size 5/Root 1 0 R/Prev ${previous}>>\n`
  return Buffer.from(`${before}${object}${section}startxref\n${start}\n%%EOF\n`, 'latin1')
}

t.test(
  'every incremental update adds a revision, whose bytes are the file as saved then',
  needs('pdftotext'),
  async (t) => {
    const second = updated(first, say('Two'))
    const third = updated(second, say('Three'))
    const workshop = Workshop.of(t)
    const { ends } = await runner(t)(revisions, { source: workshop.source(third) })
    t.same(ends, [first.byteLength, second.byteLength, third.byteLength])
    const written = ends.map((end) =>
      judged('pdftotext', [workshop.source(third.subarray(0, end)).path, '-'])
        .toString()
        .trim(),
    )
    t.same(written, ['One', 'Two', 'Three'])
  },
)

t.test('a linearized file counts as one revision, also before an update', needs('qpdf'), async (t) => {
  const workshop = Workshop.of(t)
  const path = workshop.path('linear.pdf')
  judged('qpdf', ['--linearize', workshop.source(first).path, path])
  const linear = readFileSync(path)
  const run = runner(t)
  t.same(await run(revisions, { source: workshop.source(linear) }), { ends: [linear.byteLength] })
  const more = Buffer.concat([linear, updated(linear, say('Two')).subarray(linear.byteLength)])
  t.same(await run(revisions, { source: workshop.source(more) }), { ends: [linear.byteLength, more.byteLength] })
})

t.test('a broken, cyclic or too long chain results in a single revision', async (t) => {
  const workshop = Workshop.of(t)
  const run = runner(t)
  const text = first.toString('latin1')
  const place = /startxref\s+(\d+)/.exec(text)?.[1]
  const broken = [
    text.replace(/startxref\s+\d+/, 'startxref\n99999'),
    text.replace('/Root 1 0 R', `/Root 1 0 R/Prev ${place}`),
    text.replace('/Root 1 0 R', '/Root 1 0 R/Prev 999999999999'),
    text.slice(0, -8),
    'not a PDF at all',
  ]
  for (const bytes of broken) {
    t.same(await run(revisions, { source: workshop.source(Buffer.from(bytes, 'latin1')) }), { ends: [bytes.length] })
  }
})
