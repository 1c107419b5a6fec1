// The strict reader refuses every deviation that makes a file ambiguous; it never repairs.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openStrict } from '../../../workers/strict-reader/open-strict.js'
import { NotStrict } from '../../../workers/strict-reader/strict-document.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { withRevision } from '../../support/pdf/signed-pdf.js'
import { disagreements, qpdfObjects } from '../../support/pdf/strict-judge.js'
import { isLong, seed } from '../../support/sample.js'

const plain = onePage('0 0 100 100 re f', { further: { 5: '<</Key(value)/Other 3>>' } })
const text = plain.toString('latin1')
const edited = (from: string | RegExp, to: string) => Buffer.from(text.replace(from, to), 'latin1')
/** Replaces text by other text, padded to the same length, so that all offsets stay right. */
const swapped = (from: string, to: string) => edited(from, to.padEnd(from.length))

const ambiguous: Readonly<Record<string, Buffer>> = {
  'bytes behind %%EOF': Buffer.concat([plain, Buffer.from('more')]),
  'no header': Buffer.from(text.replace('%PDF', '%XYZ'), 'latin1'),
  'no %%EOF': plain.subarray(0, -6),
  'startxref beside the table': edited(/startxref\n\d+/, 'startxref\n12'),
  'a table entry of 19 bytes': edited(' 65535 f \n', ' 65535 f\n'),
  'an object where another one should be': swapped('5 0 obj', '6 0 obj'),
  'an object of another generation': swapped('5 0 obj', '5 1 obj'),
  'a key twice': swapped('/Key(value)/Other 3', '/Key(value)/Key 3'),
  'a key twice, once with an escape': swapped('/Key(value)/Other 3', '/Key 1/#4bey 3'),
  'a string without end': swapped('(value)', '(value '),
  'a wrong escape in a name': swapped('/Other', '/O#her'),
  'no endobj': Buffer.from(text.replaceAll('endobj', 'endooo'), 'latin1'),
  'a stream that is longer than it says': swapped('/Length 16', '/Length 12'),
  'a stream that is shorter than it says': swapped('/Length 16', '/Length 19'),
  'a number beyond /Size': edited(/\/Size \d+/, '/Size 3'),
  'a circle of /Prev': edited(/\/Root 1 0 R/, `/Root 1 0 R/Prev ${text.indexOf('xref\n0')}`),
  'a /Prev that points forward': withRevision(plain, {}, { trailer: '' }).subarray(0, plain.length + 20),
  'an update without its %%EOF before': Buffer.from(
    withRevision(plain, { 5: '1' }).toString('latin1').replace('%%EOF', '%%EOX'),
    'latin1',
  ),
  'trailers that disagree about the encryption': withRevision(plain, { 5: '1' }, { trailer: '/Encrypt<<>>' }),
  'an entry outside of the file': Buffer.from(
    text.replace(/\d{10}( 00000 n \n)trailer/, '0000999999$1trailer'),
    'latin1',
  ),
  // Readers that find no valid structure search the file for whatever looks like an object.
  'a header without a version before another': Buffer.from(text.replace('%PDF', '%PDF-\n%PDF'), 'latin1'),
  'more white space at the end than readers search': Buffer.concat([plain, Buffer.alloc(1500, 10)]),
  'a startxref that is further from the end than readers search': edited(/%%EOF\n$/, `${' '.repeat(1500)}%%EOF\n`),
  '/Prev as a real number': Buffer.from(
    withRevision(plain, { 5: '1' })
      .toString('latin1')
      .replace(/\/Prev \d+/, '$&.0'),
    'latin1',
  ),
  'a comment in a cross-reference table': edited('\nxref\n', '\nxref %\n'),
  'a subsection whose numbers are on different lines': edited(/\nxref\n0 /, '\nxref\n0\n'),
  'flags as a real number': swapped('/Key(value)/Other 3', '/F 2.0'),
  'nested arrays without end': onePage('', { further: { 5: '['.repeat(100_000) } }),
}

function readAll(path: string): void {
  const document = openStrict(path)
  try {
    for (const revision of document.revisions) {
      for (const number of revision.listed) {
        revision.object({ number, generation: revision.generationOf(number) ?? 0 })
      }
    }
  } finally {
    document.close()
  }
}

t.test('the file that the others are made from is accepted', async (t) => {
  const path = join(t.testdir({}), 'file.pdf')
  writeFileSync(path, plain)
  t.doesNotThrow(() => readAll(path))
})

for (const [what, bytes] of Object.entries(ambiguous)) {
  t.test(`refused: ${what}`, async (t) => {
    const path = join(t.testdir({}), 'file.pdf')
    writeFileSync(path, bytes)
    t.throws(() => readAll(path), NotStrict)
  })
}

t.test('a small file that claims millions of objects costs nothing', async (t) => {
  const path = join(t.testdir({}), 'file.pdf')
  writeFileSync(path, edited('xref\n0 6', 'xref\n0 8000000'))
  t.throws(() => openStrict(path), NotStrict)
})

const rounds = isLong ? 400 : 25

t.test('a mutated file is refused, or read as qpdf reads it', needs('qpdf'), async (t) => {
  const random = randomFrom(seed)
  t.comment(`STEWARD_TEST_SEED=${seed}`)
  const path = join(t.testdir({}), 'file.pdf')
  const source = withRevision(plain, { 5: '<</Key(later)/Ref 3 0 R>>', 6: '[1 2 3]' })
  let accepted = 0
  for (let round = 0; round < rounds; round++) {
    const bytes = mutated(source, random)
    writeFileSync(path, bytes)
    try {
      const document = openStrict(path)
      const newest = document.revisions.at(-1)
      const theirs = qpdfObjects(path)
      if (newest && theirs) {
        const { differing } = disagreements(document, newest, theirs)
        t.same(differing, [], `round ${round}`)
        accepted++
      }
      document.close()
    } catch (error) {
      if (!(error instanceof NotStrict)) throw error
    }
  }
  t.ok(accepted > 0, `${accepted} of ${rounds} were accepted`)
})

/** Flips a byte, cuts a range out, or copies one over another. */
function mutated(source: Buffer, random: () => number): Buffer {
  const bytes = Buffer.from(source)
  const [from, to] = [Math.floor(random() * bytes.length), Math.floor(random() * bytes.length)]
  const length = 1 + Math.floor(random() * 8)
  const kind = random()
  if (kind < 0.6) bytes[from] = Math.floor(random() * 256)
  else if (kind < 0.8) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
  else bytes.copyWithin(to, from, from + length)
  return bytes
}

/** Numbers from 0 to 1 that depend on the seed alone. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}
