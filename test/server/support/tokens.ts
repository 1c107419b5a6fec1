// Signs tokens with arbitrary claims and defects, which `tokens.issue` would refuse.
import { randomUUID } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'

/** Base64, the format of `STEWARD_SIGNING_SECRET`. */
export const signingSecret = Buffer.alloc(48, 'steward').toString('base64')

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** Signs a token, by default with `iat` now and a lifetime of ten minutes. */
export function claims(more: JWTPayload): JWTPayload {
  return { sub: 'ada', jti: randomUUID(), iat: nowSeconds(), exp: nowSeconds() + 600, ...more }
}

export function signed(more: JWTPayload, secret = signingSecret): Promise<string> {
  return new SignJWT(claims(more)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret, 'base64'))
}
