// Integrity of signatures with every subfilter.
import { createSign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { der } from '../../../workers/signatures/asn1/der.js'
import { verificationOf } from '../../../workers/signatures/trust/verification-of.js'
import { needs } from '../../support/pdf/judges.js'
import { keys, Pki } from '../../support/pki/pki.js'
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
