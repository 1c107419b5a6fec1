// Mints tokens, with the symmetric secret only. Callers ensure that a token never grants more than its issuer has.
import { SignJWT } from 'jose'
import type { Claims } from './claims.js'

export interface MintedToken {
  readonly token: string
  readonly jti: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

export interface MintOptions {
  readonly secret: Uint8Array
  readonly nowMs: number
  readonly jti: string
  readonly lifetimeSeconds: number
}

export async function mint(
  claims: Omit<Claims, 'jti' | 'iat' | 'exp'>,
  { secret, nowMs, jti, lifetimeSeconds }: MintOptions,
): Promise<MintedToken> {
  const issuedAt = Math.floor(nowMs / 1000)
  const expiresAt = issuedAt + lifetimeSeconds
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(jti)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(secret)
  return { token, jti, expiresAt }
}
