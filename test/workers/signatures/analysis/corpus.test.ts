// Every signed file of the corpus is judged as its record expects, and as pyHanko's own tests publish for its files.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { ChangeVerdict } from '../../../../workers/contract/signatures/change-analysis.js'
import type { Integrity } from '../../../../workers/contract/signatures/verification.js'
import { analyseChanges } from '../../../../workers/signatures/analysis/analyse-changes.js'
import { signatureSnapshot } from '../../../../workers/signatures/reading/snapshot.js'
import { noTrustRoots } from '../../../../workers/signatures/trust/trust-roots.js'
import { verificationOf } from '../../../../workers/signatures/trust/verification-of.js'
import { openStrict } from '../../../../workers/strict-reader/open-strict.js'
import { corpusFolder, needsCorpus } from '../../../support/pdf/corpus.js'

interface SignedRecord {
  readonly file: string
  readonly features: readonly string[]
  readonly expect: { readonly signatures?: number; readonly cmsChecks?: readonly string[] }
}

interface Expectation {
  /** Expected verdict on each signature, in the order of the fields. */
  readonly verdicts: readonly ChangeVerdict[]
  readonly integrity?: Integrity['verdict']
}

/** Files whose features do not say what is expected. */
const published: Readonly<Record<string, Expectation & { readonly reason: string }>> = {
  'dss/DSS1376-rev_n.pdf': {
    verdicts: ['forbidden', 'unchanged'],
    reason:
      'a visible signature field was added after a certification with P=2: it covers what was certified (sneaky signature); pyHanko refuses such fields too unless it is told otherwise',
  },
  'dss/pades-ltv.pdf': {
    verdicts: ['permitted', 'permitted', 'unchanged'],
    reason: 'only a security store and document timestamps follow the signature',
  },
  'dss/timestamped_and_signed.pdf': {
    verdicts: ['permitted', 'unchanged'],
    reason: 'a signature follows a document timestamp without a certification',
  },
  'pdfjs/signed_verified.pdf': {
    verdicts: ['indeterminate'],
    reason: 'the range of signed bytes is none of a revision',
  },
  'pyhanko/base.pdf': {
    verdicts: ['forbidden'],
    reason:
      'the author of the document changed. pyHanko permits every change of the information dictionary. ISO 32000-2, table 257 names none, and readers show the author, so that only its date and producer may change here',
  },
  'pyhanko/certified-with-indirect-refs-in-dir.pdf': { verdicts: ['unchanged'], reason: 'nothing follows' },
  'pyhanko/minimal-two-fields-signed-twice.pdf': {
    verdicts: ['unchanged', 'permitted'],
    reason: 'pyHanko: form filling; the second signature was made in an empty field by another program',
  },
  'pyhanko/one-byterange.pdf': {
    verdicts: ['indeterminate'],
    reason: 'pyHanko: coverage unclear, because there is one range of signed bytes and not two',
  },
  'pyhanko/pades-lta-dss-indirect-arrs-test.pdf': {
    verdicts: ['permitted', 'permitted'],
    reason: 'pyHanko: updates for long-term validation alone',
  },
}

const records: readonly SignedRecord[] = existsSync(join(corpusFolder, 'index.json'))
  ? JSON.parse(readFileSync(join(corpusFolder, 'index.json'), 'utf8'))
  : []
const signed = records.filter(({ expect }) => (expect.signatures ?? 0) > 0)

/** Verdict on what followed the first signature, from the features of a file that was made for it. */
function expectedBy(features: readonly string[]): ChangeVerdict {
  if (features.some((feature) => feature === 'signed-edit-forbidden' || feature.startsWith('signed-shadow-'))) {
    return 'forbidden'
  }
  return features.includes('signed-edit-allowed') ? 'permitted' : 'unchanged'
}

function judge(path: string) {
  const document = openStrict(path)
  try {
    const { signatures } = signatureSnapshot(document, { verificationOf, roots: noTrustRoots, now: new Date() })
    return signatures
      .filter(({ signed }) => signed)
      .map(({ index, verification }) => ({
        verdict: analyseChanges({ document, since: { signature: index } }).verdict,
        integrity: verification?.integrity.verdict,
      }))
  } finally {
    document.close()
  }
}

for (const { file, features, expect } of signed) {
  t.test(`${file} is judged as expected`, needsCorpus, async (t) => {
    const found = judge(join(corpusFolder, file))
    const verdicts = found.map(({ verdict }) => verdict)
    const known = published[file]
    if (known !== undefined) t.same(verdicts, known.verdicts, known.reason)
    else t.equal(verdicts[0], expectedBy(features), features.join(', '))
    // OpenSSL judged the CMS over the signed bytes when the corpus was made.
    const isBroken = expect.cmsChecks?.some((check) => check === 'digest mismatch' || check === 'does not parse')
    const isOdd = expect.cmsChecks?.includes('odd ByteRange') ?? false
    if (isBroken || isOdd)
      t.ok(
        found.every(({ integrity }) => integrity !== 'intact'),
        JSON.stringify(found),
      )
    else
      t.ok(
        found.every(({ integrity }) => integrity === 'intact'),
        JSON.stringify(found),
      )
  })
}

t.test('the corpus has samples of every kind', needsCorpus, async (t) => {
  const kinds = ['signed-edit-allowed', 'signed-edit-forbidden', 'signed-shadow-hide', 'signed-shadow-replace']
  for (const kind of [...kinds, 'signed-tampered', 'signed-fieldmdp', 'signed-pades-lta']) {
    t.ok(
      signed.some(({ features }) => features.includes(kind)),
      kind,
    )
  }
})
