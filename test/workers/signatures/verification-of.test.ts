// Trust in signers and signing times, with certificates, CRLs, OCSP responses and timestamps made by openssl.
import t, { type Test } from 'tap'
import type { AlgorithmPolicy } from '../../../workers/contract/signatures/algorithm-policy.js'
import { der } from '../../../workers/signatures/asn1/der.js'
import { childrenOf, contentOf, encodingOf, onlyElement } from '../../../workers/signatures/asn1/element.js'
import type { SecurityStore } from '../../../workers/signatures/trust/verification-input.js'
import { verificationOf } from '../../../workers/signatures/trust/verification-of.js'
import { TooMuchWork, VerificationWork } from '../../../workers/signatures/trust/verification-work.js'
import { needs } from '../../support/pdf/judges.js'
import { type CertificateOptions, extensions, type Identity, keys, Pki } from '../../support/pki/pki.js'
import { document, inputOf, signatureOver } from './subject.js'

const openssl = needs('openssl')
const pki = Pki.of(t)
const made = openssl.skip === false ? identities() : undefined
type Made = ReturnType<typeof identities>

function identities() {
  const root = pki.authority('Root')
  const issuing = pki.authority('Issuing', root)
  const signer = issuing.issue('A Signer')
  const authority = root.issue('Time', { extensions: extensions.timestamps })
  const cms = pki.cms(document, signer, { certificates: [issuing] })
  return { root, issuing, signer, authority, cms, stamp: pki.timestamp(document, authority) }
}

/** Runs a test that needs certificates of openssl. */
const pkiTest = (title: string, work: (t: Test, made: Made) => void): void =>
  void t.test(title, openssl, async (t) => {
    if (made !== undefined) work(t, made)
  })

/** Inserts a CRL after the certificates of a CMS. */
function withCrl(cms: Uint8Array, crl: Uint8Array): Uint8Array {
  const [type, content] = childrenOf(onlyElement(cms)).map(encodingOf)
  const [version, digests, data, certificates, signers] = childrenOf(
    onlyElement(contentOf(onlyElement(content ?? new Uint8Array()))),
  ).map(encodingOf)
  const parts = [version, digests, data, certificates, der(0xa1, crl), signers].map((part) => part ?? new Uint8Array())
  return der(0x30, type ?? new Uint8Array(), der(0xa0, der(0x30, ...parts)))
}

const noStore: SecurityStore = { certificates: [], ocsps: [], crls: [] }

/** Verifies a signature that contains this chain. */
const trustOf = (signer: Identity, { trusted, chain = [] }: { trusted: readonly Identity[]; chain?: Identity[] }) =>
  verificationOf(inputOf(signatureOver(pki.cms(document, signer, { certificates: chain })), { trusted }))

pkiTest('a chain to a root of the operator is trusted, and to no other', (t, { root, issuing, cms }) => {
  const chain = [{ subject: 'CN=A Signer' }, { subject: 'CN=Issuing' }, { subject: 'CN=Root' }]
  const signature = signatureOver(cms)
  const trusted = verificationOf(inputOf(signature, { trusted: [root] }))
  t.match(trusted, { integrity: { verdict: 'intact' }, trust: { verdict: 'trusted', chain } })
  t.match(trusted, { time: { source: 'signed-attribute', authority: null }, revocation: { verdict: 'unknown' } })
  t.match(verificationOf(inputOf(signature)).trust, { verdict: 'unknown', reason: /No trusted roots/ })
  const stranger = pki.authority('Root')
  t.match(verificationOf(inputOf(signature, { trusted: [stranger] })).trust, { verdict: 'unknown' })
  const pinned = verificationOf(inputOf(signature, { trusted: [issuing] }))
  t.match(pinned.trust, { verdict: 'trusted', chain: chain.slice(0, 2) })
})

pkiTest('an issuer that is not in the CMS is taken from the security store', (t, { root, issuing, signer }) => {
  const signature = signatureOver(pki.cms(document, signer))
  t.match(verificationOf(inputOf(signature, { trusted: [root] })).trust, {
    verdict: 'unknown',
    reason: /CN=Issuing/,
  })
  const store = { ...noStore, certificates: [Buffer.from('no certificate'), issuing.der] }
  t.match(verificationOf(inputOf(signature, { trusted: [root], store })).trust, { verdict: 'trusted' })
})

pkiTest('a self-signed signer is trusted only if it is a root itself', (t, { root }) => {
  const own = pki.authority('Myself', undefined, { extensions: extensions.signer })
  t.match(trustOf(own, { trusted: [root] }).trust, { verdict: 'untrusted', reason: /not among the trusted roots/ })
  t.match(trustOf(own, { trusted: [own] }), { trust: { verdict: 'trusted' }, revocation: { verdict: 'good' } })
})

pkiTest('a certificate that does not permit signatures is untrusted', (t, { root }) => {
  const cases: readonly (readonly [string, CertificateOptions, RegExp])[] = [
    ['expired', { until: '20210101000000Z' }, /not valid after 2021/],
    ['not yet valid', { from: '20480101000000Z' }, /not valid before 2048/],
    ['another key usage', { extensions: ['keyUsage=critical,keyEncipherment'] }, /not be used for signatures/],
    ['another purpose', { extensions: ['extendedKeyUsage=serverAuth'] }, /not be used for signatures of documents/],
    ['critical and unknown', { extensions: ['1.2.3.4=critical,DER:0500'] }, /unknown critical extension 1\.2\.3\.4/],
  ]
  for (const [name, options, reason] of cases)
    t.match(trustOf(root.issue(name, options), { trusted: [root] }).trust, { verdict: 'untrusted', reason }, name)
  for (const purpose of ['emailProtection', '1.3.6.1.5.5.7.3.36', 'anyExtendedKeyUsage']) {
    const signer = root.issue(purpose, { extensions: [`extendedKeyUsage=critical,${purpose}`] })
    t.match(trustOf(signer, { trusted: [root] }).trust, { verdict: 'trusted' }, purpose)
  }
})

pkiTest('a certificate whose issuer may not issue it is untrusted', (t, { root }) => {
  const authority = ['keyUsage=critical,keyCertSign', 'basicConstraints=critical,CA:true']
  const issuers: readonly (readonly [string, readonly string[], 'untrusted' | 'unknown' | 'trusted'])[] = [
    ['no authority', extensions.signer, 'untrusted'],
    ['without the key usage', ['basicConstraints=critical,CA:true', 'keyUsage=critical,cRLSign'], 'untrusted'],
    ['name constraints', [...authority, 'nameConstraints=critical,permitted;DNS:example'], 'unknown'],
    ['an authority', authority, 'trusted'],
  ]
  for (const [name, lines, verdict] of issuers) {
    const issuer = pki.authority(name, root, { extensions: lines })
    t.match(trustOf(issuer.issue('Signer'), { trusted: [root], chain: [issuer] }).trust, { verdict }, name)
  }
  const short = pki.authority('short', root, {
    extensions: ['basicConstraints=critical,CA:true,pathlen:0', 'keyUsage=critical,keyCertSign'],
  })
  const below = pki.authority('below', short)
  t.match(trustOf(short.issue('Signer'), { trusted: [root], chain: [short] }).trust, { verdict: 'trusted' })
  const long = trustOf(below.issue('Signer'), { trusted: [root], chain: [below, short] })
  t.match(long.trust, { verdict: 'untrusted', reason: /allows 0 issuers/ })
})

pkiTest('a certificate that its issuer did not sign has no chain', (t, { root }) => {
  const impostor = pki.authority('Root')
  const { trust } = trustOf(impostor.issue('Signer'), { trusted: [root], chain: [impostor] })
  t.match(trust, { verdict: 'untrusted', reason: /CN=Root, which is not among the trusted roots/ })
})

pkiTest('CRLs and OCSP responses of the issuer decide about revocation', (t, { root }) => {
  const issuer = pki.authority('Issuer', root)
  const responder = issuer.issue('Responder', { extensions: extensions.responder })
  const [good, bad] = [issuer.issue('Good'), issuer.issue('Bad')]
  issuer.revoke(bad)
  const crls = [issuer.crl(), root.crl()]
  const verified = (signer: Identity, members: Partial<SecurityStore>) => {
    const signature = signatureOver(pki.cms(document, signer, { certificates: [issuer] }))
    return verificationOf(inputOf(signature, { trusted: [root], store: { ...noStore, ...members } }))
  }
  const revoked = { trust: { verdict: 'untrusted', reason: 'CN=Bad is revoked' }, revocation: { verdict: 'revoked' } }
  const fine = { trust: { verdict: 'trusted' }, revocation: { verdict: 'good', source: 'dss' } }
  t.match(verified(good, { crls }), fine, 'a CRL')
  t.match(verified(bad, { crls }), revoked, 'a CRL')
  t.match(verified(good, { crls: [root.crl()], ocsps: [issuer.ocsp(good)] }), fine, 'an OCSP response of the issuer')
  t.match(verified(bad, { ocsps: [issuer.ocsp(bad, responder)] }), revoked, 'an OCSP response of its responder')
  const partial = verified(good, { crls: [issuer.crl()] })
  t.match(partial.revocation, { verdict: 'unknown', reason: /CN=Issuer/ }, 'nothing about the issuer')
  const stranger = issuer.issue('Stranger')
  const forged = verified(good, { crls: [root.crl()], ocsps: [issuer.ocsp(good, stranger)] })
  t.match(forged.revocation, { verdict: 'unknown' }, 'an OCSP response by a certificate without that purpose')
  const changed = issuer.crl()
  changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
  t.match(verified(bad, { crls: [changed] }).revocation, { verdict: 'unknown' }, 'a CRL with a wrong signature')
  t.match(verified(bad, { crls: [Buffer.alloc(9)], ocsps: [Buffer.alloc(9)] }).revocation, { verdict: 'unknown' })
})

pkiTest('a CRL in the CMS counts as embedded', (t, { root }) => {
  const signer = root.issue('Revoked')
  root.revoke(signer)
  const cms = withCrl(pki.cms(document, signer), root.crl())
  const { revocation } = verificationOf(inputOf(signatureOver(cms), { trusted: [root] }))
  t.match(revocation, { verdict: 'revoked', source: 'embedded' })
})

pkiTest('only a trusted timestamp proves that a signing was before the revocation', (t, { root, authority }) => {
  const signer = root.issue('Later revoked')
  root.revoke(signer, '480101000000Z')
  const store = { ...noStore, crls: [root.crl()] }
  const signature = signatureOver(pki.cms(document, signer))
  const claimed = verificationOf(inputOf(signature, { trusted: [root], store }))
  t.match(claimed, {
    trust: { verdict: 'untrusted' },
    revocation: { verdict: 'revoked', at: '2048-01-01T00:00:00.000Z' },
  })
  const stamp = signatureOver(pki.timestamp(document, authority), { subFilter: 'ETSI.RFC3161' })
  const stamped = verificationOf(inputOf(signature, { trusted: [root], store, laterTimestamps: [stamp] }))
  t.match(stamped, { time: { source: 'timestamp', authority: 'trusted' }, revocation: { verdict: 'good' } })
  t.match(stamped.trust, { verdict: 'trusted', reason: null })
  const strange = pki.authority('Strange')
  const theirs = strange.issue('Time', { extensions: extensions.timestamps })
  const other = signatureOver(pki.timestamp(document, theirs, [strange]), { subFilter: 'ETSI.RFC3161' })
  const unproven = verificationOf(inputOf(signature, { trusted: [root], store, laterTimestamps: [other] }))
  t.match(unproven, {
    time: {
      source: 'signed-attribute',
      certainty: 'claimed',
      authority: 'untrusted',
      timestamp: { signer: 'CN=Time', reason: /CN=Strange, which is not among the trusted roots/ },
    },
    revocation: { verdict: 'revoked' },
  })
})

/** A moment as `openssl` writes it. */
const moment = (at: number) => new Date(at).toISOString().replace(/[-:T]/g, '').replace(/\..*/, 'Z')
const dayMs = 24 * 60 * 60 * 1000

pkiTest('a certificate that has expired since is trusted by a trusted timestamp alone', (t, { root, authority }) => {
  const subFilter = 'ETSI.RFC3161'
  const until = moment(Date.now() + dayMs)
  const signer = root.issue('Short-lived', { until })
  const signature = signatureOver(pki.cms(document, signer))
  const verified = (now: Date, members: object = {}) =>
    verificationOf(inputOf(signature, { trusted: [root], now, ...members }))
  const [today, later] = [new Date(), new Date(Date.now() + 2 * dayMs)]
  const claimed = { source: 'signed-attribute', certainty: 'claimed' } as const
  t.match(verified(today), { trust: { verdict: 'trusted', reason: /time that the signer claims/ }, time: claimed })
  const reason = /CN=Short-lived expired at .*, and no trusted timestamp proves an earlier signing/
  t.match(verified(later), { trust: { verdict: 'unknown', reason }, time: claimed })
  const stamps = [signatureOver(pki.timestamp(document, authority), { subFilter })]
  t.match(verified(later, { laterTimestamps: stamps }), {
    trust: { verdict: 'trusted', reason: null },
    time: { source: 'timestamp', certainty: 'proven', authority: 'trusted', timestamp: { signer: 'CN=Time' } },
  })
  const strange = pki.authority('Strange')
  const short = root.issue('Short time', { extensions: extensions.timestamps, until })
  const stampOf = (...given: readonly [Identity, Identity[]?, string?]) =>
    signatureOver(pki.timestamp(document, ...given), { subFilter })
  const ofShort = stampOf(short)
  const worthless = {
    'of a stranger': [stampOf(strange.issue('Time', { extensions: extensions.timestamps }), [strange]), 'untrusted'],
    'with a weak digest': [stampOf(authority, [], 'sha1'), 'unknown'],
    'of an authority that has expired as well': [ofShort, 'unknown'],
  } as const
  for (const [name, [stamp, verdict]] of Object.entries(worthless)) {
    const { trust, time } = verified(later, { laterTimestamps: [stamp] })
    t.match(trust, { verdict: 'unknown', reason }, name)
    t.match(time, { ...claimed, authority: verdict, timestamp: { reason: /./ } }, name)
  }
  t.match(verified(later, { laterTimestamps: [ofShort, stampOf(authority)] }), {
    trust: { verdict: 'trusted', reason: null },
    time: { certainty: 'proven', timestamp: { signer: 'CN=Short time', reason: null } },
  })
})

pkiTest('a document timestamp is trusted by the chain of its authority and its purpose', (t, { root, stamp }) => {
  const subFilter = 'ETSI.RFC3161'
  const trusted = verificationOf(inputOf(signatureOver(stamp, { subFilter }), { trusted: [root] }))
  t.match(trusted, { integrity: { verdict: 'intact' }, trust: { verdict: 'trusted' }, signer: { subject: 'CN=Time' } })
  t.match(trusted.time, { source: 'timestamp', authority: 'trusted' })
  const data = Buffer.from('other bytes')
  const broken = verificationOf(inputOf(signatureOver(stamp, { subFilter, data }), { trusted: [root] }))
  t.match(broken, { integrity: { verdict: 'broken', check: 'message-digest' }, trust: { verdict: 'unknown' } })
})

pkiTest('RSA, PSS and EdDSA roots sign chains too', (t) => {
  for (const key of [keys.rsa, keys.ed25519]) {
    const root = pki.authority('Root', undefined, { key })
    t.match(trustOf(root.issue('Signer'), { trusted: [root] }).trust, { verdict: 'trusted' }, key[1])
  }
})

pkiTest('trust is unknown once a file has more certificates and lists than are evaluated', (t, { root, cms }) => {
  const work = new VerificationWork()
  const verified = () => verificationOf(inputOf(signatureOver(cms), { trusted: [root], work }))
  t.match(verified().trust, { verdict: 'trusted' })
  t.throws(() => work.takeParsing(1_000_000_000), TooMuchWork)
  const other = pki.cms(document, root.issue('Another'))
  const { integrity, trust, revocation } = verificationOf(inputOf(signatureOver(other), { trusted: [root], work }))
  t.match(
    { integrity, trust, revocation },
    {
      integrity: { verdict: 'intact' },
      trust: { verdict: 'unknown', reason: /exceed what is evaluated/ },
      revocation: { verdict: 'unknown' },
    },
  )
})

pkiTest(
  'the reason says why a chain ends: an issuer that is missing, of another key, or not to be checked',
  (t, { root }) => {
    const rsa = pki.authority('MD5', undefined, { key: keys.rsa })
    const weak = rsa.issue('Weak', { digest: 'md5' })
    const other = pki.authority('Other')
    const signer = root.issue('Signer')
    const cases = [
      [signer, [], /^The certificate of the issuer CN=Root is missing$/],
      [
        root.issue('Signer'),
        [pki.authority('Root', root)],
        /^The certificate of the issuer CN=Root is missing; another/,
      ],
      [weak, [rsa], /^It cannot be checked whether CN=MD5 issued the certificate of CN=Weak: MD5 is not supported$/],
    ] as const
    for (const [one, chain, reason] of cases) {
      const { trust, revocation } = trustOf(one, { trusted: [other], chain: [...chain] })
      t.match(trust, { verdict: 'unknown', reason })
      t.match(revocation, { verdict: 'unknown', reason }, 'nor can its revocation be known')
    }
    const own = pki.authority('Myself', undefined, { extensions: extensions.signer })
    const { revocation } = trustOf(own, { trusted: [root] })
    t.match(revocation, { verdict: 'unknown', reason: /^CN=Myself issued itself, so that nobody else says/ })
  },
)

pkiTest(
  'weak keys and digests are not trusted, wherever they are in the chain, as the policy has it',
  (t, { root }) => {
    const short = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] as const
    const curve = ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp192k1'] as const
    const issuer = pki.authority('Short issuer', root, { key: short })
    const anchor = pki.authority('Short root', undefined, { key: short })
    const sha1 = root.issue('By SHA-1', { digest: 'sha1' })
    const weak = /^The key of CN=[^:]+ is not accepted: RSA of 1024 bits, and not of 1900 or more$/
    const cases = [
      [root.issue('Short', { key: short }), root, [], weak],
      [issuer.issue('Below'), root, [issuer], weak],
      [anchor.issue('Of the root'), anchor, [], weak],
      [root.issue('Curve', { key: curve }), root, [], /the curve secp192k1 is not known to have 256 bits or more$/],
      [sha1, root, [], /^The certificate of CN=By SHA-1 is signed with a weak digest: SHA-1 is not accepted/],
    ] as const
    const policy = { rsaBitsMin: 1024, ecBitsMin: 160, digests: ['sha1', 'sha256'] } as AlgorithmPolicy
    for (const [signer, trusted, chain, reason] of cases) {
      const signature = signatureOver(pki.cms(document, signer, { certificates: [...chain] }))
      const { integrity, trust } = verificationOf(inputOf(signature, { trusted: [trusted] }))
      t.match({ integrity, trust }, { integrity: { verdict: 'intact' }, trust: { verdict: 'unknown', reason } })
      const roots = { certificates: [trusted.der], policy }
      t.match(verificationOf(inputOf(signature, { roots })).trust, { verdict: 'trusted' }, 'accepted by the operator')
    }
    const strict = { certificates: [root.der], policy: { ...policy, digests: ['sha512'] } as AlgorithmPolicy }
    const judged = verificationOf(inputOf(signatureOver(pki.cms(document, root.issue('Any'))), { roots: strict }))
    t.match(judged.trust, { verdict: 'unknown', reason: /SHA-256 is not accepted$/ })
  },
)
