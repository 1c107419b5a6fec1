// Resolves the `Authorization` header to a caller. Verified tokens are cached, because verification costs more than the
// rest of a cached read; revocation is checked on every request, in `authority.ts`.
import { createHash, timingSafeEqual } from 'node:crypto'
import { errors, type JWTHeaderParameters, jwtVerify } from 'jose'
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import type { Caller } from './caller.js'
import { callerOf } from './claims.js'
import { KeysUnavailable, type VerificationKeys } from './keys.js'

export type VerifiedToken = Caller & { readonly expiresAt: number }

/** Cache of verified tokens by their digest; expiry is checked at each use. */
export interface VerifiedTokens {
  get(digest: string): VerifiedToken | undefined
  set(digest: string, token: VerifiedToken): void
}

export interface AuthenticatorOptions {
  readonly apiTokens: readonly string[]
  readonly keys: VerificationKeys
  readonly clock: Clock
  /** Default: every token is verified each time. */
  readonly verified?: VerifiedTokens
}

export class Authenticator {
  private readonly apiTokenDigests: readonly Buffer[]

  constructor(private readonly options: AuthenticatorOptions) {
    this.apiTokenDigests = options.apiTokens.map(digest)
  }

  /** Returns the minting secret; undefined where tokens are minted elsewhere. */
  get mintingSecret(): Uint8Array | undefined {
    return this.options.keys.mintingSecret
  }

  /** Throws `Unauthenticated` unless the credential is currently valid. */
  async authenticate(header: string | undefined): Promise<Caller> {
    const [, token] = /^Bearer +([\x21-\x7e]+)$/i.exec(header ?? '') ?? []
    if (token === undefined || token.length > limits.tokenCharactersMax) throw unauthenticated()
    const fingerprint = digest(token)
    // Compares with every configured token, over digests of one length, so that the time taken reveals nothing.
    const isApiToken = this.apiTokenDigests.map((digest) => timingSafeEqual(digest, fingerprint)).includes(true)
    return isApiToken ? { kind: 'api' } : this.bearer(token, fingerprint.toString('base64'))
  }

  private async bearer(token: string, fingerprint: string): Promise<Caller> {
    const { verified, clock } = this.options
    const cached = verified?.get(fingerprint)
    const caller = cached ?? (await this.verify(token))
    if (caller.expiresAt * 1000 <= clock.now()) throw unauthenticated()
    if (cached === undefined) verified?.set(fingerprint, caller)
    return caller
  }

  private async verify(token: string): Promise<VerifiedToken> {
    const { keys, clock } = this.options
    try {
      const { issuer, audience } = keys
      const { payload, protectedHeader } = await jwtVerify(token, keys.key, {
        algorithms: [...keys.algorithms],
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp', 'iat', 'jti', 'sub'],
        ...(issuer === undefined ? {} : { issuer }),
        ...(audience === undefined ? {} : { audience }),
      })
      const caller = isAccessToken(protectedHeader) ? callerOf(payload) : undefined
      if (caller !== undefined && 'expiresAt' in caller && !this.isOfFuture(caller))
        return { ...caller, expiresAt: this.endOf(caller) }
    } catch (error) {
      if (error instanceof KeysUnavailable)
        throw new Refusal('RuntimeUnavailable', 'Token keys cannot be read now', { cause: error, retryAfterSeconds: 5 })
      if (!(error instanceof errors.JOSEError || error instanceof TypeError)) throw error
    }
    throw unauthenticated()
  }

  /**
   * True if the token was issued in the future: it would pass the checks that refuse tokens older than their
   * resource.
   */
  private isOfFuture({ issuedAt }: { readonly issuedAt: number }): boolean {
    return issuedAt > this.options.clock.now() / 1000 + limits.clockToleranceSeconds
  }

  /**
   * Returns when the token expires. If this server mints tokens, it accepts none beyond its own maximum lifetime,
   * because revocations are stored only that long.
   */
  private endOf({ issuedAt, expiresAt }: { readonly issuedAt: number; readonly expiresAt: number }): number {
    if (this.mintingSecret === undefined) return expiresAt
    return Math.min(expiresAt, issuedAt + limits.tokenLifetimeSecondsMax)
  }
}

/**
 * True for access tokens. Tokens of other types signed with the same key, such as logout tokens, are no credentials
 * (RFC 8725, 3.11).
 */
const isAccessToken = ({ typ = 'JWT' }: JWTHeaderParameters): boolean => /^(?:application\/)?(?:at\+)?jwt$/i.test(typ)

const unauthenticated = () => new Refusal('Unauthenticated', 'The request carries no valid credential')

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
