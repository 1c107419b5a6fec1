// The keys tokens are signed and verified with. One symmetric secret lets the deployment mint; with public keys somebody
// else mints. Each key is pinned to its algorithm, so that no token can choose how it is verified.
import { createPublicKey, type KeyObject } from 'node:crypto'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  errors,
  importSPKI,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'

export const asymmetricAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const
export type AsymmetricAlgorithm = (typeof asymmetricAlgorithms)[number]

export interface VerificationKeys {
  readonly algorithms: readonly string[]
  readonly key: JWTVerifyGetKey
  /** Only the symmetric secret can mint. */
  readonly mintingSecret?: Uint8Array
}

export function symmetricKeys(secret: Uint8Array): VerificationKeys {
  return { algorithms: ['HS256'], key: async () => secret, mintingSecret: secret }
}

/** A public key in PEM. Its type names its algorithm: RSA, P-256 or Ed25519; anything else is refused. */
export async function publicKeys(pem: string): Promise<VerificationKeys> {
  const algorithm = algorithmOf(createPublicKey(pem))
  const key = await importSPKI(pem, algorithm)
  return { algorithms: [algorithm], key: async () => key }
}

export function jwksKeys(source: JSONWebKeySet | URL): VerificationKeys {
  const key = source instanceof URL ? remoteKeys(source) : createLocalJWKSet(source)
  return { algorithms: asymmetricAlgorithms, key }
}

/** The keys could not be had now, which says nothing about a token. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable'
}

function remoteKeys(url: URL): JWTVerifyGetKey {
  const find = createRemoteJWKSet(url)
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (error) {
      if (isAboutToken(error)) throw error
      throw new KeysUnavailable(`No keys could be read from ${url.origin}`, { cause: error })
    }
  }
}

/** The keys were read, and none of them, or more than one, fits. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}

function algorithmOf(key: KeyObject): AsymmetricAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'RS256'
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
  throw new TypeError(`A key of type ${key.asymmetricKeyType} cannot verify tokens; use RSA, P-256 or Ed25519`)
}
