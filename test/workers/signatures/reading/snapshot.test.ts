// Signature fields, the coverage of each signature, and the resulting protection, read from the bytes alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { SignatureSnapshot } from '../../../../workers/contract/signatures/signature-snapshot.js'
import { fileSnapshot } from '../../../../workers/signatures/reading/file-snapshot.js'
import { DigestBudget, signedBytes } from '../../../../workers/signatures/reading/signed-bytes.js'
import { securityStoreOf } from '../../../../workers/signatures/trust/security-store.js'
import { noTrustRoots } from '../../../../workers/signatures/trust/trust-roots.js'
import { verificationOf } from '../../../../workers/signatures/trust/verification-of.js'
import { openStrict } from '../../../../workers/strict-reader/open-strict.js'
import { judged, needs } from '../../../support/pdf/judges.js'
import { onePage } from '../../../support/pdf/raw-pdf.js'
import { docMdp, signatureDictionary, signed, signedPdf, withRevision } from '../../../support/pdf/signed-pdf.js'
import { strictly } from '../../../support/pdf/strictly.js'

const isSnapshot = strictly(SignatureSnapshot)
const setup = { verificationOf, roots: noTrustRoots, now: new Date() }

function pathOf(t: Test, bytes: Uint8Array): string {
  const path = join(t.testdir({}), 'file.pdf')
  writeFileSync(path, bytes)
  return path
}

function snapshotOf(t: Test, bytes: Uint8Array) {
  const snapshot = fileSnapshot(pathOf(t, bytes), {}, setup)
  t.ok(isSnapshot().Check(snapshot), 'it has the shape of the contract')
  return snapshot
}

const plainSigned = signedPdf()
const field = '<</Type/Annot/Subtype/Widget/FT/Sig/T(approval)/Rect[0 0 0 0]/P 3 0 R/V 6 0 R>>'
const filled = '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 90 30]/P 3 0 R/V(Ada)/DA(/Helv 0 Tf 0 g)>>'

t.test('a signature over the whole file covers its revision, as pdfsig says too', needs('pdfsig'), async (t) => {
  t.match(snapshotOf(t, plainSigned), {
    chainValid: true,
    revisions: [{ index: 0, end: plainSigned.length, signatureIndex: 0 }],
    signatures: [
      {
        index: 0,
        field: { kind: 'objectNumber', objectNumber: 5 },
        fieldName: 'approval',
        widget: { objectNumber: 5, page: { objectNumber: 3 } },
        signed: true,
        coverage: 'whole-revision',
        revisionIndex: 0,
        contentsSize: 3000,
        verification: { integrity: { verdict: 'intact' }, trust: { verdict: 'unknown' } },
      },
    ],
    protection: { enforced: null, judged: 'annotate', certification: null, fieldLocks: { length: 0 } },
  })
  const report = judged('pdfsig', [pathOf(t, plainSigned)]).toString()
  t.match(report, /Signature is Valid/)
  t.match(report, /Total document signed/)
})

t.test('after a later revision the signature still covers its own', async (t) => {
  const { revisions, signatures } = snapshotOf(t, withRevision(plainSigned, { 7: filled }))
  t.match(revisions, [{ signatureIndex: 0 }, { signatureIndex: null }])
  t.match(signatures, [
    { coverage: 'whole-revision', revisionIndex: 0, verification: { integrity: { verdict: 'intact' } } },
  ])
})

t.test('a flipped byte anywhere in the signed range breaks the signature or the structure', async (t) => {
  for (const part of [0, 0.1, 0.5, 0.9]) {
    const bytes = Buffer.from(plainSigned)
    const at = 15 + Math.floor(part * (plainSigned.indexOf('/Contents<') - 30))
    bytes[at] = (bytes[at] ?? 0) ^ 1
    const { chainValid, signatures } = snapshotOf(t, bytes)
    const verdicts = signatures.map(({ verification }) => verification?.integrity.verdict)
    t.ok(!chainValid || !verdicts.includes('intact'), `byte ${at}`)
  }
})

const text = plainSigned.toString('latin1')
const [range = ''] = /\/ByteRange\[[^\]]*\]/.exec(text) ?? []
const ranged = (other: string) =>
  Buffer.from(text.replace(range, `/ByteRange[${other}]`.padEnd(range.length)), 'latin1')
const [, , start = 0, end = 0, rest = 0] = (/(\d+) (\d+) (\d+) (\d+)/.exec(range) ?? []).map(Number)

const malformed: Readonly<Record<string, Buffer>> = {
  'three numbers': ranged(`0 ${start} ${end}`),
  'names in it': ranged(`0 ${start} ${end} /All`),
  'a negative number': ranged(`0 ${start} ${end} -1`),
  'a start behind 0': ranged(`1 ${start - 1} ${end} ${rest}`),
  'an end outside of the file': ranged(`0 ${start} ${end} ${rest + 1}`),
  'parts that overlap': ranged(`0 ${end} ${start} ${rest}`),
  'a hole without the brackets of the string': ranged(`0 ${start + 1} ${end - 1} ${rest + 1}`),
  'a hole larger than the string': ranged(`0 ${start - 9} ${end} ${rest}`),
}

for (const [what, bytes] of Object.entries(malformed)) {
  t.test(`a byte range with ${what} is malformed, and no exception`, async (t) => {
    const { chainValid, signatures } = snapshotOf(t, bytes)
    t.equal(chainValid, true)
    t.match(signatures, [{ signed: true, coverage: 'malformed', verification: { integrity: { check: 'coverage' } } }])
  })
}

t.test('a signature whose dictionary a later revision replaced is malformed', async (t) => {
  const copy = /6 0 obj\n(<<[\s\S]*?>>)\nendobj/.exec(text)?.[1] ?? ''
  const same = snapshotOf(t, withRevision(plainSigned, { 6: copy }))
  t.match(same.signatures, [{ coverage: 'malformed' }])
  const elsewhere = snapshotOf(t, withRevision(plainSigned, { 5: field.replace('6 0 R', '9 0 R'), 9: copy }))
  t.match(elsewhere.signatures, [{ coverage: 'malformed' }], 'the same bytes range and contents in another object')
})

t.test('a range that ends before its revision is partial', async (t) => {
  const { signatures } = snapshotOf(t, ranged(`0 ${start} ${end} ${rest - 20}`))
  t.match(signatures, [{ coverage: 'partial' }])
})

for (const [permission, level] of [
  [1, 'lta'],
  [2, 'fill'],
  [3, 'annotate'],
] as const) {
  t.test(`a certification with permission ${permission} enforces the level ${level}`, async (t) => {
    const certified = signedPdf({ catalog: '/Perms<</DocMDP 6 0 R>>', signature: docMdp(permission) })
    const { signatures, protection } = snapshotOf(t, certified)
    t.match(signatures, [{ docMdp: permission, catalogCertification: true }])
    t.match(protection, { enforced: level, judged: level, certification: { signatureIndex: 0, permission } })
  })
}

const certified = signedPdf({ catalog: '/Perms<</DocMDP 6 0 R>>', signature: docMdp(1) })
const catalog = (more: string) => `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${more}]/SigFlags 3>>>>`

const strippings: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  'the entry in the catalog is removed': { 1: catalog('5 0 R 7 0 R') },
  'the field is removed from the form': { 1: catalog('7 0 R') },
  'the field is emptied': { 5: field.replace('/V 6 0 R', '') },
  'the dictionary is replaced by a milder one': {
    6: `<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>${docMdp(3)}>>`,
  },
  'the form is removed': { 1: '<</Type/Catalog/Pages 2 0 R>>' },
}

for (const [what, objects] of Object.entries(strippings)) {
  t.test(`a certification still restricts after ${what}`, async (t) => {
    t.equal(snapshotOf(t, withRevision(certified, objects)).protection.enforced, 'lta')
  })
}

t.test('a second signature certifies nothing by itself', async (t) => {
  const second = withRevision(plainSigned, {
    1: catalog('5 0 R 7 0 R 8 0 R'),
    8: '<</Type/Annot/Subtype/Widget/FT/Sig/T(second)/Rect[0 0 0 0]/P 3 0 R/V 9 0 R>>',
    9: signatureDictionary(docMdp(1)),
  })
  const { revisions, signatures, protection } = snapshotOf(t, signed(second))
  t.match(signatures, [
    { coverage: 'whole-revision', revisionIndex: 0 },
    { revisionIndex: 1, docMdp: 1 },
  ])
  t.match(signatures[1], { coverage: 'whole-revision', verification: { integrity: { verdict: 'intact' } } })
  t.match(revisions, [{ signatureIndex: 0 }, { signatureIndex: 1 }])
  t.match(protection, { enforced: null, judged: 'annotate', certification: null })
})

t.test('locks of signed fields are listed, those of unsigned ones are not in force', async (t) => {
  const lock = '/Lock<</Action/Include/Fields[(name)]/P 2>>'
  const mdp = '/Reference[<</TransformMethod/FieldMDP/TransformParams<</Action/Exclude/Fields[(a)(b)]>>>>]'
  const { signatures, protection } = snapshotOf(t, signedPdf({ field: lock, signature: mdp }))
  const spec = { action: 'include', fields: ['name'], permission: 2 }
  t.match(signatures, [{ lock: spec, fieldMdp: { action: 'exclude', fields: ['a', 'b'] } }])
  t.match(protection, {
    enforced: 'fill',
    fieldLocks: [
      { source: 'fieldmdp', spec: { action: 'exclude' } },
      { source: 'lock', spec },
    ],
  })
  const open = onePage('', {
    page: '/Annots[5 0 R]',
    further: { 5: field.replace('/V 6 0 R', lock), 8: '<<>>' },
  })
  const unsigned = withRevision(open, { 1: catalog('5 0 R') })
  const { signatures: fields, protection: none } = snapshotOf(t, unsigned)
  t.match(fields, [{ signed: false, coverage: null, lock: spec, verification: null }])
  t.match(none, { enforced: null, judged: null, fieldLocks: { length: 0 } })
})

t.test('seed values state requirements on a signature, and whether this server can meet them', async (t) => {
  const seed = '/SV<</Ff 66/SubFilter[/ETSI.CAdES.detached]/DigestMethod[(SHA1)]/Reasons[(a)(b)]/MDP<</P 0>>>>'
  const { signatures } = snapshotOf(t, signedPdf({ field: seed }))
  t.match(signatures[0]?.seedValue, {
    requiredFlags: 66,
    presentFlags: 0b1001010,
    mdp: 0,
    subFilters: ['ETSI.CAdES.detached'],
    digestMethods: ['SHA1'],
    reasons: ['a', 'b'],
    unsupportedRequired: true,
  })
})

t.test('a signed file that is damaged permits no change; an unsigned one is not protected', async (t) => {
  const tail = Buffer.from('damage')
  const damaged = snapshotOf(t, Buffer.concat([certified, tail]))
  t.match(damaged, {
    chainValid: false,
    chainProblem: { reason: /./ },
    revisions: [{ index: 0, end: certified.length + tail.length, xrefOffset: 0, signatureIndex: null }],
    signatures: { length: 0 },
    protection: { enforced: 'none', judged: 'none' },
  })
  t.match(snapshotOf(t, Buffer.concat([onePage(''), tail])), { chainValid: false, protection: { enforced: null } })
})

t.test('a file that is encrypted for certificates is not called damaged', async (t) => {
  const encrypted = plainSigned.toString('latin1').replace('/Root', '/Encrypt<</Filter/Adobe.PubSec/V 4>>/Root')
  t.match(snapshotOf(t, Buffer.from(encrypted, 'latin1')), {
    chainValid: false,
    chainProblem: { reason: /encrypted for the holders of certificates/ },
  })
})

t.test('a file is refused whose fields share one signature thousands of times', async (t) => {
  const numbers = Array.from({ length: 5000 }, (_, index) => index + 8)
  const fields = numbers.map((number) => [number, `<</FT/Sig/T(s${number})/Parent 7 0 R/V 6 0 R>>`] as const)
  const kids = `<</T(group)/Kids[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`
  const shared = signedPdf({ further: { 7: kids, ...Object.fromEntries(fields) } })
  t.match(snapshotOf(t, shared), { chainValid: false, signatures: { length: 0 }, protection: { enforced: 'none' } })
})

t.test('digests are computed up to a limit for all signatures of a file', async (t) => {
  const document = openStrict(pathOf(t, plainSigned))
  t.teardown(() => document.close())
  const signature = signedBytes(document, [0, 100, 100, 100], new DigestBudget(250))
  t.equal(signature.digestOf('sha256').length, 32)
  t.equal(signature.digestOf('sha256').length, 32, 'a digest is computed once')
  t.throws(() => signature.digestOf('sha384'), /too many signatures/)
})

t.test('the security stores of all revisions count, so that an update takes no revocation out', async (t) => {
  const data = (text: string) => `<</Length ${text.length}>>\nstream\n${text}\nendstream`
  const catalog = (store: string) => `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 7 0 R]/SigFlags 3>>${store}>>`
  const first = withRevision(plainSigned, {
    1: catalog('/DSS<</CRLs[11 0 R]/VRI<</AB<</OCSP[12 0 R]>>>>>>'),
    11: data('old list'),
    12: data('old answer'),
  })
  const replaced = withRevision(first, {
    1: catalog('/DSS<</CRLs[13 0 R]>>'),
    11: data('hidden'),
    13: data('new list'),
  })
  const document = openStrict(pathOf(t, withRevision(replaced, { 1: catalog('') })))
  const { crls, ocsps } = securityStoreOf(document)
  document.close()
  const texts = (streams: readonly Uint8Array[]) => streams.map((bytes) => Buffer.from(bytes).toString())
  t.same([texts(crls), texts(ocsps)], [['old list', 'new list'], ['old answer']])

  const numbers = Array.from({ length: 150 }, (_, index) => 100 + index)
  const junk = {
    1: catalog(`/DSS<</CRLs[${numbers.map((number) => `${number} 0 R`).join(' ')}]>>`),
    ...Object.fromEntries(numbers.map((number) => [number, data(`junk ${number}`)])),
  }
  const flood = withRevision(first, junk, { size: 250 })
  const flooded = openStrict(pathOf(t, flood))
  t.match(texts(securityStoreOf(flooded).crls), ['old list', 'junk 100'], 'an update pushes none out of the bounds')
  flooded.close()
})
