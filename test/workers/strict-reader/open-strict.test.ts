// The strict reader reads unambiguous files as qpdf does, whatever form their structure has.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { LockedFile } from '../../../workers/strict-reader/encryption/security.js'
import { openStrict } from '../../../workers/strict-reader/open-strict.js'
import { NotStrict } from '../../../workers/strict-reader/strict-document.js'
import { encryptedPdf, schemes } from '../../support/pdf/encrypted-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { withHybridUpdate, withRevision } from '../../support/pdf/signed-pdf.js'
import { disagreements, qpdfObjects } from '../../support/pdf/strict-judge.js'

const plain = onePage('BT /F1 12 Tf 20 100 Td (Hello) Tj ET', {
  resources: helvetica,
  page: '/Annots[5 0 R]',
  further: {
    5: '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(a \\(b\\) \\101 \\\nc)/NM<4a 4b>/C[-.5 +1 4. 0 1 0 R]>>',
    6: { body: '<</Type/Metadata/Subtype/XML>>', stream: '<x:xmpmeta/>' },
    7: '[true false null /A#20B (\\377\\000) <feff0041> 12 0 7]',
  },
})

function pathOf(t: Test, bytes: Uint8Array, name = 'file.pdf'): string {
  const path = join(t.testdir({}), name)
  writeFileSync(path, bytes)
  return path
}

function isReadAlike(t: Test, path: string, password?: string): void {
  const document = openStrict(path, password === undefined ? {} : { password: Buffer.from(password) })
  const newest = document.revisions.at(-1)
  const theirs = qpdfObjects(path, password)
  if (newest === undefined || theirs === undefined) throw new Error('There is nothing to compare')
  const { agreed, differing } = disagreements(document, newest, theirs)
  document.close()
  t.same(differing, [])
  t.ok(agreed >= 5, `${agreed} objects`)
}

const forms: Readonly<Record<string, readonly string[]>> = {
  'a cross-reference table': [],
  'object streams': ['--object-streams=generate'],
  'object streams, not compressed': ['--object-streams=generate', '--compress-streams=n'],
  'a linearized file': ['--linearize'],
  'a linearized file with object streams': ['--linearize', '--object-streams=generate'],
  'a file in QDF form': ['--qdf'],
}

for (const [form, options] of Object.entries(forms)) {
  t.test(`${form} is one revision, and its objects are those that qpdf reads`, needs('qpdf'), async (t) => {
    const path = pathOf(t, plain)
    const made = `${path}.made.pdf`
    judged('qpdf', [...options, path, made])
    const document = openStrict(made)
    t.equal(document.revisions.length, 1)
    t.equal(document.revisions[0]?.end, document.sizeBytes)
    document.close()
    isReadAlike(t, made)
  })
}

for (const scheme of schemes) {
  t.test(`a file encrypted with ${scheme.name} opens with either password`, needs('qpdf'), async (t) => {
    const path = pathOf(t, encryptedPdf(plain, scheme))
    for (const password of [scheme.user, scheme.owner]) isReadAlike(t, path, password)
    t.throws(() => openStrict(path, { password: Buffer.from('wrong') }), LockedFile)
    if (scheme.user !== '') t.throws(() => openStrict(path), LockedFile)
  })
}

t.test('every revision is a prefix of the file, and defines what it did then', async (t) => {
  const later = withRevision(plain, { 5: '<</New(later)>>' })
  const document = openStrict(pathOf(t, withRevision(later, { 8: '(third)' })))
  t.same(
    document.revisions.map(({ end }) => end),
    [plain.length, later.length, document.sizeBytes],
  )
  const [first, second, third] = document.revisions
  t.same([...(second?.listed ?? [])], [5])
  const keysOf = (revision = first) => {
    const value = revision?.object({ number: 5, generation: 0 })
    return typeof value === 'object' && value?.kind === 'dictionary' ? [...value.entries.keys()] : []
  }
  t.ok(keysOf(first).includes('Contents'))
  t.same([keysOf(second), keysOf(third)], [['New'], ['New']])
  t.equal(second?.object({ number: 8, generation: 0 }), null, 'not there yet')
  t.match(third?.object({ number: 8, generation: 0 }), { kind: 'string' })
  document.close()
})

for (const layout of ['alone', 'before', 'between'] as const) {
  t.test(
    `a hybrid update of Acrobat is one revision, its stream ${layout}, with a /Size too small`,
    needs('qpdf'),
    (t) => {
      const path = pathOf(t, withHybridUpdate(plain, 8, layout))
      const document = openStrict(path)
      t.equal(document.revisions.length, 2)
      t.same([...(document.revisions[1]?.listed ?? [])], [8, 9, 10])
      for (const number of [8, 9]) {
        t.match(document.revisions[1]?.object({ number, generation: 0 }), { kind: 'string' }, `${number}`)
        t.equal(document.revisions[0]?.object({ number, generation: 0 }), null)
      }
      document.close()
      judged('qpdf', ['--check', path])
      isReadAlike(t, path)
      t.throws(
        () => openStrict(pathOf(t, withHybridUpdate(plain, 8, layout, 10))),
        NotStrict,
        'beyond /Size of the trailer',
      )
      t.end()
    },
  )
}

/** Moves a pointer, which keeps its length, back to the white space before what it names. */
const movedBack = (bytes: Buffer, pattern: RegExp, by: number): Buffer =>
  Buffer.from(
    bytes
      .toString('latin1')
      .replace(
        pattern,
        (_, head: string, digits: string) => head + String(Number(digits) - by).padStart(digits.length, '0'),
      ),
    'latin1',
  )

const loose: Readonly<Record<string, () => Buffer>> = {
  'a startxref at the white space before its table': () => movedBack(plain, /(startxref\n)(\d+)(?=\n%%EOF\n$)/, 1),
  'a /Prev at the white space before its table': () => {
    const later = withRevision(plain, { 5: '(new)' })
    return movedBack(later, /(\/Prev )(\d+)/, 1)
  },
  'an object right after "%%EOF"': () => withRevision(plain.subarray(0, -1), { 5: '(new)' }),
  'a trailer that was copied with the stream of a hybrid': () => {
    const hybrid = withHybridUpdate(plain, 8, 'alone')
    const [stream] = /\/XRefStm \d+/.exec(hybrid.toString('latin1')) ?? []
    // The stream defines object 9, which the table hides there and defines here.
    return withRevision(hybrid, { 9: '(newer)' }, { trailer: stream ?? '' })
  },
}

for (const [title, make] of Object.entries(loose)) {
  t.test(`${title} is read as qpdf reads it`, needs('qpdf'), async (t) => {
    const path = pathOf(t, make())
    isReadAlike(t, path)
    judged('qpdf', ['--check', path])
  })
}

t.test('a hybrid whose own stream defines an object of its table otherwise is refused', async (t) => {
  const hybrid = withHybridUpdate(plain, 8, 'alone').toString('latin1')
  const [, open = ''] = /xref\n8 2\n(\d{10}) 00000 n/.exec(hybrid) ?? []
  const path = pathOf(
    t,
    Buffer.from(hybrid.replace('0000000000 65535 f \ntrailer', `${open} 00000 n \ntrailer`), 'latin1'),
  )
  t.throws(() => openStrict(path).revisions[1]?.object({ number: 9, generation: 0 }), /defines an object twice/)
})

t.test('a section given beside the file is read as if it followed the file', async (t) => {
  const whole = withRevision(plain, { 5: '(new)' })
  const document = openStrict(pathOf(t, plain), { section: whole.subarray(plain.length) })
  t.equal(document.sizeBytes, whole.length)
  t.same(Buffer.from(document.bytes(plain.length - 3, 6)), whole.subarray(plain.length - 3, plain.length + 3))
  t.match(document.revisions[1]?.object({ number: 5, generation: 0 }), { kind: 'string' })
  document.close()
})

t.test('offsets count from the header, where something precedes it', async (t) => {
  const document = openStrict(pathOf(t, Buffer.concat([Buffer.from('junk\n'), plain])))
  t.match(document.revisions[0]?.object({ number: 7, generation: 0 }), { kind: 'array' })
  t.match(document.revisions[0]?.placeOf(7), { kind: 'file', offset: plain.indexOf('7 0 obj') + 5 })
  document.close()
})
