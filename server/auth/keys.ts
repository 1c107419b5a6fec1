// Keys that tokens are signed and verified with. With a symmetric secret the deployment mints tokens; with public keys they
// are minted elsewhere. Each key is bound to one algorithm, so that a token cannot choose how it is verified.
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  importSPKI,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import { limits } from '../limits.js'
import { boundedFetch } from './fetch-keys.js'

export const asymmetricAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const
export type AsymmetricAlgorithm = (typeof asymmetricAlgorithms)[number]

export interface VerificationKeys {
  readonly algorithms: readonly string[]
  readonly key: JWTVerifyGetKey
  /** Secret for minting; undefined with public keys, which cannot mint. */
  readonly mintingSecret?: Uint8Array
  /** Issuer and audience that tokens must name. */
  readonly issuer?: string
  readonly audience?: string
}

export function symmetricKeys(secret: Uint8Array): VerificationKeys {
  return { algorithms: ['HS256'], key: async () => secret, mintingSecret: secret }
}

/**
 * Returns the key of a public key in PEM. Its type determines the algorithm: RSA, P-256 or Ed25519; others are
 * refused.
 */
export async function publicKeys(pem: string): Promise<VerificationKeys> {
  const algorithm = algorithmOf(createPublicKey(pem))
  const key = await importSPKI(pem, algorithm)
  return { algorithms: [algorithm], key: async () => key }
}

/** Returns the keys of a JWKS. `now`: a clock in milliseconds with any origin. */
export function jwksKeys(source: JSONWebKeySet | URL, now = () => performance.now()): VerificationKeys {
  if (source instanceof URL) return { algorithms: asymmetricAlgorithms, key: remoteKeys(source, now) }
  const key = createLocalJWKSet(source)
  refuseWeakKeys(source)
  return { algorithms: asymmetricAlgorithms, key }
}

/** Thrown if the keys cannot be fetched now, so that the token can neither be accepted nor refused. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

function remoteKeys(url: URL, now: () => number): JWTVerifyGetKey {
  const find = createRemoteJWKSet(url, { timeoutDuration: limits.jwksTimeoutMs, [customFetch]: boundedFetch(now) })
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (error) {
      if (isAboutToken(error)) throw error
      throw new KeysUnavailable(`No keys could be read from ${url.origin}`, { cause: error })
    }
  }
}

/** True if the keys were fetched, and none of them, or more than one, matches the token. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}

/** Refuses weak keys. A JWKS may also contain keys for other purposes, which verify no tokens here. */
function refuseWeakKeys({ keys }: JSONWebKeySet): void {
  for (const jwk of keys) if (jwk.kty === 'RSA') algorithmOf(createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }))
}

/** Returns the algorithm of a key. Throws for unsupported keys, at the start rather than for each token. */
function algorithmOf(key: KeyObject): AsymmetricAlgorithm {
  if (key.asymmetricKeyType === 'rsa') {
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
    if (bits >= limits.rsaModulusBitsMin) return 'RS256'
    throw new TypeError(`An RSA key of ${bits} bits is too weak; use ${limits.rsaModulusBitsMin} bits or more`)
  }
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
  throw new TypeError(`A key of type ${key.asymmetricKeyType} cannot verify tokens; use RSA, P-256 or Ed25519`)
}
