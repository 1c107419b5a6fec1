// Checks signature values against a key and a message.
import { constants, createVerify, type KeyObject, publicDecrypt, verify } from 'node:crypto'
import { der, oid } from '../asn1/der.js'
import { type DigestAlgorithm, oidOfDigest } from './digest-algorithm.js'
import { type SignatureScheme, UnsupportedAlgorithm } from './signature-scheme.js'

/** Minimum length of RSA keys in bits; shorter ones can be factored. */
const rsaBitsMin = 1024

/**
 * Returns whether a key made the signature. Throws `UnsupportedAlgorithm` for a key that cannot make such a signature,
 * or is too short to be trusted.
 */
export function isSignedBy(
  key: KeyObject | undefined,
  scheme: SignatureScheme,
  message: Uint8Array,
  value: Uint8Array,
): boolean {
  const fitting = keyFor(key, scheme)
  return attempted(() =>
    verify(scheme.kind === 'eddsa' ? null : scheme.digest, message, keyOptions(fitting, scheme), value),
  )
}

/** Checks a message that is read in pieces; refuses EdDSA, which needs the whole message at once. */
export function isSignedInPieces(
  key: KeyObject | undefined,
  scheme: SignatureScheme,
  pieces: Iterable<Uint8Array>,
  value: Uint8Array,
): boolean {
  const fitting = keyFor(key, scheme)
  if (scheme.kind === 'eddsa') throw new UnsupportedAlgorithm('EdDSA over the document itself is not supported')
  const verifier = createVerify(scheme.digest)
  for (const piece of pieces) verifier.update(piece)
  return attempted(() => verifier.verify(keyOptions(fitting, scheme), value))
}

/** Returns the digest algorithm of an RSA PKCS #1 v1.5 signature; undefined if the signature does not match. */
export function digestInRsa(
  key: KeyObject | undefined,
  value: Uint8Array,
  candidates: readonly DigestAlgorithm[],
  digest: (algorithm: DigestAlgorithm) => Uint8Array,
): DigestAlgorithm | undefined {
  const fitting = keyFor(key, { kind: 'rsa', digest: 'sha1' })
  try {
    const decrypted = publicDecrypt({ key: fitting, padding: constants.RSA_PKCS1_PADDING }, value)
    return candidates.find((algorithm) => encodings(algorithm).some((encode) => decrypted.equals(encode(digest))))
  } catch {
    return undefined
  }
}

/** Returns encoders of `DigestInfo`, with and without NULL as the parameters of its algorithm. */
function encodings(algorithm: DigestAlgorithm) {
  const identifier = oid(oidOfDigest(algorithm))
  return [Buffer.from([5, 0]), Buffer.alloc(0)].map(
    (parameters) => (digest: (algorithm: DigestAlgorithm) => Uint8Array) =>
      der(48, der(48, identifier, parameters), der(4, digest(algorithm))),
  )
}

/** Returns the key if it can make signatures of this scheme. Throws `UnsupportedAlgorithm`. */
function keyFor(key: KeyObject | undefined, scheme: SignatureScheme): KeyObject {
  if (key === undefined) throw new UnsupportedAlgorithm('The key of the certificate is not supported')
  const type = key.asymmetricKeyType ?? ''
  if (!keyTypes[scheme.kind].includes(type))
    throw new UnsupportedAlgorithm(`A key of type ${type} cannot make such a signature`)
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (bits !== undefined && bits < rsaBitsMin) throw new UnsupportedAlgorithm(`An RSA key of ${bits} bits is too short`)
  return key
}

const keyTypes: Readonly<Record<SignatureScheme['kind'], readonly string[]>> = {
  rsa: ['rsa'],
  'rsa-pss': ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  eddsa: ['ed25519', 'ed448'],
}

function keyOptions(key: KeyObject, scheme: SignatureScheme) {
  if (scheme.kind === 'rsa') return { key, padding: constants.RSA_PKCS1_PADDING }
  if (scheme.kind === 'rsa-pss') return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: scheme.saltLength }
  return { key }
}

/** Returns false if OpenSSL throws, as it does for some malformed values. */
function attempted(work: () => boolean): boolean {
  try {
    return work()
  } catch {
    return false
  }
}
