// Signs tokens of every kind and defect, with a library of its own choice of claims: what `tokens.issue` would never give.
import { randomUUID } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'

/** Base64, as `STEWARD_SIGNING_SECRET` takes it. */
export const signingSecret = Buffer.alloc(48, 'steward').toString('base64')

const nowSeconds = () => Math.floor(Date.now() / 1000)

/** With `iat` now and ten minutes to live; what is given wins. */
export function claims(more: JWTPayload): JWTPayload {
  return { sub: 'ada', jti: randomUUID(), iat: nowSeconds(), exp: nowSeconds() + 600, ...more }
}

export function signed(more: JWTPayload, secret = signingSecret): Promise<string> {
  return new SignJWT(claims(more)).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret, 'base64'))
}
