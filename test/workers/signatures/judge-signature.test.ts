// Integrity of signatures with every subfilter.
import { createSign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { der, oid } from '../../../workers/signatures/asn1/der.js'
import { verificationOf } from '../../../workers/signatures/trust/verification-of.js'
import { needs } from '../../support/pdf/judges.js'
import { keys, Pki } from '../../support/pki/pki.js'
import { attribute, type HandmadeCms, handmadeCms, sequence } from './handmade-cms.js'
import { document, inputOf, signatureOver } from './subject.js'

const openssl = needs('openssl')
const pki = Pki.of(t)
const made = openssl.skip === false ? identities() : undefined
type Made = ReturnType<typeof identities>

function identities() {
  const root = pki.authority('Root', undefined, { key: keys.rsa })
  return { root, signer: root.issue('A Signer'), rsa: root.issue('RSA', { key: keys.rsa }) }
}

const pkiTest = (title: string, work: (t: Test, made: Made) => void): void =>
  void t.test(title, openssl, async (t) => {
    if (made !== undefined) work(t, made)
  })

const judged = (...given: Parameters<typeof signatureOver>) => verificationOf(inputOf(signatureOver(...given)))
const other = Buffer.from('%PDF-2.0 other bytes')
const broken = (check: string) => ({ integrity: { verdict: 'broken', check } })
const intact = { integrity: { verdict: 'intact', check: null, reason: null } }

pkiTest('a detached CMS is intact over its bytes, and broken over others', (t, { signer }) => {
  const cms = pki.cms(document, signer)
  for (const subFilter of ['adbe.pkcs7.detached', 'ETSI.CAdES.detached']) {
    t.match(judged(cms, { subFilter }), { ...intact, signer: { subject: 'CN=A Signer' } }, subFilter)
    t.match(judged(cms, { subFilter, data: other }), broken('message-digest'), subFilter)
  }
})

pkiTest('without signed attributes, the signature value covers the document itself', (t, { signer, rsa }) => {
  for (const identity of [signer, rsa]) {
    const cms = pki.cms(document, identity, { options: ['-noattr'] })
    t.match(judged(cms), intact)
    t.match(judged(cms, { data: other }), broken('signature-value'))
  }
})

pkiTest('SHA-1 is intact with a reason, and cannot be trusted', (t, { root, signer }) => {
  const signature = signatureOver(pki.cms(document, signer, { digest: 'sha1' }))
  const answer = verificationOf(inputOf(signature, { trusted: [root] }))
  t.match(answer, { integrity: { verdict: 'intact', reason: /SHA-1/ }, trust: { verdict: 'unknown', reason: /SHA-1/ } })
})

pkiTest('adbe.pkcs7.sha1 contains the digest of the document', (t, { signer }) => {
  const digest = pki.run(['dgst', '-sha1', '-binary'], document)
  const cms = pki.cms(digest, signer, { options: ['-nodetach'] })
  const subFilter = 'adbe.pkcs7.sha1'
  t.match(judged(cms, { subFilter }), { integrity: { verdict: 'intact', reason: /SHA-1/ } })
  t.match(judged(cms, { subFilter, data: other }), broken('message-digest'))
  t.match(judged(pki.cms(digest, signer), { subFilter }), broken('content-type'))
})

pkiTest('adbe.x509.rsa_sha1 is a plain signature by the certificate of the dictionary', (t, { rsa, signer }) => {
  const value = createSign('sha1').update(document).sign(readFileSync(rsa.key))
  const members = { subFilter: 'adbe.x509.rsa_sha1', certificates: [rsa.der] }
  const contents = der(4, value)
  t.match(judged(contents, members), {
    integrity: { verdict: 'intact', reason: /SHA-1/ },
    signer: { subject: 'CN=RSA' },
  })
  t.match(judged(contents, { ...members, data: other }), broken('signature-value'))
  t.match(judged(contents, { ...members, certificates: [] }), { integrity: { verdict: 'indeterminate' } })
  t.match(judged(contents, { ...members, certificates: [signer.der] }), { integrity: { verdict: 'indeterminate' } })
})

pkiTest('a signature with something unsupported or missing is indeterminate, with the check', (t, { signer, rsa }) => {
  const cms = pki.cms(document, signer)
  const indeterminate = (check: string) => ({ integrity: { verdict: 'indeterminate', check } })
  t.match(judged(cms, { subFilter: 'my.own' }), indeterminate('encoding'))
  t.match(judged(cms, { subFilter: null }), indeterminate('encoding'))
  t.match(judged(cms, { coverage: 'partial' }), indeterminate('coverage'))
  t.match(judged(pki.cms(document, rsa, { digest: 'md5' })), indeterminate('message-digest'))
  const without = pki.cms(document, signer, { options: ['-cades', '-nocerts'] })
  t.match(judged(without), { ...indeterminate('signing-certificate'), signer: null })
  const plain = pki.cms(document, signer, { options: [] })
  t.match(judged(plain, { subFilter: 'ETSI.CAdES.detached' }), indeterminate('signing-certificate'))
})

pkiTest('malformed coverage, and data after the CMS, are broken', (t, { signer }) => {
  const cms = pki.cms(document, signer)
  t.match(judged(cms, { coverage: 'malformed' }), broken('coverage'))
  t.match(judged(cms, { contents: Buffer.concat([cms, Buffer.from([0, 0, 1])]) }), broken('encoding'))
  t.match(judged(cms, { contents: cms.subarray(0, 100) }), broken('encoding'))
  t.match(judged(cms, { contents: Buffer.alloc(0) }), broken('encoding'))
})

pkiTest('another certificate with the same key and name as the named one is refused', (t, { root, signer }) => {
  const cms = pki.cms(document, signer)
  const position = cms.indexOf(Buffer.from(signer.der))
  const changed = Buffer.from(cms)
  // The signature of the certificate itself: the key is the same, and so are name and serial number.
  const offset = position + signer.der.length - 4
  changed.writeUInt8(changed.readUInt8(offset) ^ 1, offset)
  const answer = verificationOf(inputOf(signatureOver(changed), { trusted: [root] }))
  t.match(answer, broken('signing-certificate'))
})

const oids = {
  sha512WithRsa: '1.2.840.113549.1.1.13',
  sha256WithRsa: '1.2.840.113549.1.1.11',
  ed25519: '1.3.101.112',
  ed448: '1.3.101.113',
  signingTime: '1.2.840.113549.1.9.5',
  shake256WithLength: '2.16.840.1.101.3.4.2.18',
} as const

pkiTest('one digest algorithm makes the message digest and the signature value, as openssl has it', (t, made) => {
  const verified = (cms: Uint8Array) => {
    const files = ['-inform', 'DER', '-in', pki.path('cms', cms), '-content', pki.path('data', document)]
    try {
      pki.run(['cms', '-verify', '-binary', ...files, '-CAfile', made.root.cert, '-purpose', 'any'])
      return 'intact'
    } catch {
      return 'broken'
    }
  }
  const orders: readonly (readonly ['intact' | 'broken', HandmadeCms])[] = [
    ['intact', { digest: 'sha256', signatureOid: oids.sha256WithRsa, hash: 'sha256' }],
    ['intact', { digest: 'sha512', signatureOid: oids.sha512WithRsa, hash: 'sha512' }],
    ['broken', { digest: 'sha256', signatureOid: oids.sha512WithRsa, hash: 'sha512' }],
    ['broken', { digest: 'sha512', signatureOid: oids.sha256WithRsa, hash: 'sha256' }],
  ]
  for (const [verdict, order] of orders) {
    const cms = handmadeCms(document, made.rsa, order)
    t.equal(verified(cms), verdict)
    const reason = verdict === 'broken' ? { check: 'signature-value', reason: /SHA-256.*SHA-512|SHA-512.*SHA-256/ } : {}
    t.match(judged(cms), { integrity: { verdict, ...reason } }, `${order.digest} and ${order.hash}`)
  }
})

pkiTest('EdDSA is intact with the digest that RFC 8419 gives it, and indeterminate with another', (t, { root }) => {
  const [ed25519, ed448] = [root.issue('25519', { key: keys.ed25519 }), root.issue('448', { key: keys.ed448 })]
  const withLength = (bits: number) => {
    const length = der(2, Buffer.from([bits >> 8, bits & 255]))
    return { digest: 'shake256', identifier: sequence(oid(oids.shake256WithLength), length) } as const
  }
  const other = { verdict: 'indeterminate', check: 'message-digest' }
  const [short, long] = [
    { signatureOid: oids.ed25519, hash: null },
    { signatureOid: oids.ed448, hash: null },
  ]
  const cases = [
    ['Ed25519 and SHA-512', ed25519, { digest: 'sha512', ...short }, { verdict: 'intact' }],
    [
      'Ed25519 and SHA-256',
      ed25519,
      { digest: 'sha256', ...short },
      { ...other, reason: /Ed25519 is used with SHA-512/ },
    ],
    ['Ed25519 and SHA-1', ed25519, { digest: 'sha1', ...short }, other],
    ['Ed448 and SHAKE256', ed448, { digest: 'shake256', ...long }, { verdict: 'intact' }],
    ['Ed448 and SHAKE256 of 512 bits', ed448, { ...withLength(512), ...long }, { verdict: 'intact' }],
    ['Ed448 and SHAKE256 of 256 bits', ed448, { ...withLength(256), ...long }, other],
    ['Ed448 and SHA-512', ed448, { digest: 'sha512', ...long }, { ...other, reason: /Ed448 is used with SHAKE256/ }],
  ] as const
  for (const [name, signer, order, integrity] of cases)
    t.match(judged(handmadeCms(document, signer, order)), { integrity }, name)
})

pkiTest('a signed attribute may occur twice if no standard forbids it', (t, { rsa }) => {
  const order = { digest: 'sha256', signatureOid: oids.sha256WithRsa, hash: 'sha256' } as const
  const twice = (one: Uint8Array, other: Uint8Array) =>
    judged(handmadeCms(document, rsa, { ...order, attributes: [one, other] }))
  const own = (value: number) => attribute('1.2.3.4.5', der(2, Buffer.from([value])))
  t.match(twice(own(1), own(2)), intact)
  const at = (year: number) => attribute(oids.signingTime, der(23, Buffer.from(`${year}0101000000Z`)))
  t.match(twice(at(24), at(25)), {
    integrity: { verdict: 'broken', check: 'signed-attributes', reason: /occurs twice/ },
  })
})
