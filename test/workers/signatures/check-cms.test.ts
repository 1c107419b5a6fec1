// The check of the CMS on completion: CMSs made by openssl, altered ones, and hostile structures.
import t from 'tap'
import { defaultAlgorithmPolicy } from '../../../workers/contract/signatures/algorithm-policy.js'
import { der, oid } from '../../../workers/signatures/asn1/der.js'
import { childrenOf, type Element, encodingOf, onlyElement } from '../../../workers/signatures/asn1/element.js'
import { type CmsRequest, checkCms } from '../../../workers/signatures/cms/check-cms.js'
import { needs } from '../../support/pdf/judges.js'
import { extensions, keys, Pki } from '../../support/pki/pki.js'
import { document, sha256 } from './subject.js'

const openssl = needs('openssl')
const pki = Pki.of(t)
const made = openssl.skip === false ? identities() : undefined

function identities() {
  const root = pki.authority('Root')
  return {
    root,
    signer: root.issue('A Signer'),
    rsa: root.issue('RSA', { key: keys.rsa }),
    authority: root.issue('Time', { extensions: extensions.timestamps }),
  }
}

const requestOf = (cms: Uint8Array, members: Partial<CmsRequest> = {}): CmsRequest => ({
  cms,
  digest: sha256(document),
  digestAlgorithm: 'sha256',
  subFilter: 'ETSI.CAdES.detached',
  kind: 'signature',
  policy: defaultAlgorithmPolicy,
  ...members,
})

const cmsOf = (...[data, identity, options]: Parameters<Pki['cms']>) => pki.cms(data, identity, options)

/** Encodes all lengths in the indefinite form, except those of the certificate. */
function inBer(cms: Uint8Array, certificate: Uint8Array): Uint8Array {
  const encoded = (element: Element): Uint8Array => {
    const encoding = encodingOf(element)
    if (!element.isConstructed || Buffer.compare(encoding, certificate) === 0) return encoding
    const end = Buffer.alloc(2)
    return Buffer.concat([encoding.subarray(0, 1), Buffer.from([0x80]), ...childrenOf(element).map(encoded), end])
  }
  return encoded(onlyElement(cms))
}

t.test('signatures of every supported key are accepted', openssl, async (t) => {
  if (made === undefined) return
  const pss = ['-cades', '-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:20']
  const cases = {
    'P-256': cmsOf(document, made.signer),
    'P-384': cmsOf(document, made.root.issue('384', { key: keys.p384 })),
    'P-521': cmsOf(document, made.root.issue('521', { key: keys.p521 })),
    brainpool: cmsOf(document, made.root.issue('brainpool', { key: keys.brainpool })),
    'PKCS #1 v1.5': cmsOf(document, made.rsa),
    PSS: cmsOf(document, made.rsa, { options: pss }),
    'by key identifier': cmsOf(document, made.signer, { options: ['-cades', '-keyid'] }),
    'in BER': inBer(cmsOf(document, made.signer), made.signer.der),
  }
  for (const [name, cms] of Object.entries(cases)) t.match(checkCms(requestOf(cms)), { verdict: 'accepted' }, name)
})

t.test('the signer is the one of the certificate', openssl, async (t) => {
  if (made === undefined) return
  const answer = checkCms(requestOf(cmsOf(document, made.signer)))
  t.match(answer, { verdict: 'accepted', signer: { subject: 'CN=A Signer', issuer: 'CN=Root' } })
})

t.test('each refusal names the check', openssl, async (t) => {
  if (made === undefined) return
  const good = cmsOf(document, made.signer)
  const other = Buffer.from(good)
  other.writeUInt8(other.readUInt8(other.length - 3) ^ 1, other.length - 3)
  const weak = made.root.issue('Weak', { key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] })
  const attached = ['-cades', '-nodetach']
  const [first, second] = [made.signer, made.rsa]
  const two = cmsOf(document, first, { options: ['-cades', '-signer', second.cert, '-inkey', second.key] })
  const cases: readonly (readonly [string, string, CmsRequest])[] = [
    ['another digest', 'message-digest', requestOf(good, { digest: sha256(Buffer.from('other')) })],
    ['a flipped bit of the value', 'signature-value', requestOf(other)],
    ['content inside', 'content-type', requestOf(cmsOf(document, first, { options: attached }))],
    ['no attributes', 'signed-attributes', requestOf(cmsOf(document, first, { options: ['-noattr'] }))],
    ['no ESS certificate', 'signing-certificate', requestOf(cmsOf(document, first, { options: [] }))],
    ['no certificate', 'signing-certificate', requestOf(cmsOf(document, first, { options: ['-cades', '-nocerts'] }))],
    ['SHA-1', 'message-digest', requestOf(cmsOf(document, first, { digest: 'sha1' }))],
    ['MD5', 'message-digest', requestOf(cmsOf(document, made.rsa, { digest: 'md5' }))],
    ['RSA of 1024 bits', 'signing-certificate', requestOf(cmsOf(document, weak))],
    ['SHA-512, prepared with SHA-256', 'message-digest', requestOf(cmsOf(document, first, { digest: 'sha512' }))],
    ['two signers', 'encoding', requestOf(two)],
    ['bytes behind it', 'encoding', requestOf(Buffer.concat([good, Buffer.alloc(4)]))],
    ['cut off', 'encoding', requestOf(good.subarray(0, -1))],
    ['a timestamp', 'content-type', requestOf(pki.timestamp(document, made.authority))],
    ['no timestamp', 'content-type', requestOf(good, { kind: 'timestamp', subFilter: 'ETSI.RFC3161' })],
  ]
  for (const [name, check, request] of cases) t.match(checkCms(request), { verdict: 'refused', check }, name)
})

t.test('without attributes of ESS, adbe.pkcs7.detached is accepted', openssl, async (t) => {
  if (made === undefined) return
  const cms = cmsOf(document, made.signer, { options: [] })
  t.match(checkCms(requestOf(cms, { subFilter: 'adbe.pkcs7.detached' })), { verdict: 'accepted' })
})

t.test('a document timestamp must cover the prepared digest', openssl, async (t) => {
  if (made === undefined) return
  const stamp = { kind: 'timestamp', subFilter: 'ETSI.RFC3161' } as const
  const good = pki.timestamp(document, made.authority)
  const answer = checkCms(requestOf(good, stamp))
  t.match(answer, { verdict: 'accepted', signer: { subject: 'CN=Time' } })
  t.ok(answer.verdict === 'accepted' && Math.abs(Date.now() - Number(answer.signingTime)) < 60_000)
  const cases = [
    pki.timestamp(Buffer.from('other'), made.authority),
    pki.timestamp(document, made.authority, [], 'sha512'),
  ]
  for (const cms of cases) t.match(checkCms(requestOf(cms, stamp)), { verdict: 'refused', check: 'message-digest' })
})

t.test('no flipped bit of what is signed, or of the signature, is accepted', openssl, async (t) => {
  if (made === undefined) return
  const cms = cmsOf(document, made.signer)
  const from = cms.indexOf(oid('1.2.840.113549.1.9.3')) - 4
  const accepted: number[] = []
  for (let offset = from; offset < cms.length; offset += 1) {
    const changed = Buffer.from(cms)
    changed[offset] = (changed[offset] ?? 0) ^ (1 << (offset % 8))
    if (checkCms(requestOf(changed)).verdict === 'accepted') accepted.push(offset)
  }
  // The key determines the signature algorithm, so a changed identifier may name the same one.
  const algorithm = cms.indexOf(oid('1.2.840.10045.4.3.2'))
  t.same(
    accepted.filter((offset) => offset < algorithm || offset >= algorithm + 10),
    [],
  )
})

t.test('hostile structures are refused in bounded time', async (t) => {
  const nested = Buffer.alloc(64_000, Buffer.from([0x30, 0x80]))
  const octets = Buffer.alloc(64_000, Buffer.from([0x24, 0x80]))
  let definite: Uint8Array = new Uint8Array()
  for (let depth = 0; depth < 2000; depth += 1) definite = der(0x30, definite)
  const nulls = der(0x30, Buffer.alloc(64_000, Buffer.from([5, 0])))
  const signedData = oid('1.2.840.113549.1.7.2')
  const inside = (content: Uint8Array) => der(0x30, signedData, der(0xa0, content))
  const manyAttributes = Buffer.concat(
    Array.from({ length: 6000 }, (_, index) => der(0x30, oid(`1.2.3.${index}`), der(0x31, Buffer.from([5, 0])))),
  )
  const cases = {
    empty: Buffer.alloc(0),
    zeros: Buffer.alloc(16_384),
    nested,
    octets,
    definite,
    nulls,
    'endless length': Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]),
    'long length': Buffer.from([0x30, 0x89, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    'high tag': Buffer.from([0x3f, 0x81, 1, 0]),
    'nested inside': inside(nested),
    'nulls inside': inside(nulls),
    'attributes inside': inside(der(0x30, manyAttributes)),
    'only the type': der(0x30, signedData),
    'no structure': inside(Buffer.from([2, 1, 1])),
  }
  for (const [name, cms] of Object.entries(cases))
    t.match(checkCms(requestOf(cms)), { verdict: 'refused', check: 'encoding' }, name)
})
