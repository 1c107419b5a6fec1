// The emulated exchange of an identity token for an access token. Access tokens end when the knob `signIns` gets another
// value.
import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Refused, type Route, refuse } from '../../emulator/contract.js'
import { Knob } from '../../emulator/knobs.js'
import { call, exact, id, optional, text } from './schema.js'

export const tokenPath = '/oauth/token'

/** Beta value that goes with an access token, and with no other authorization. */
export const signedInBeta = 'oauth-2025-04-20'
const exchangeBeta = 'oidc-federation-2026-04-01'

const prefix = 'sk-ant-oat01-emulated-'
const lifeSeconds = 3_600

export const signInKnobs = {
  signIns: Knob(
    Type.String(),
    'first',
    'Part of the access tokens that are valid; another one ends those given before.',
  ),
} as const

/** Returns the refusal of an access token; undefined also for every other authorization. */
export function refusedToken(
  authorization: string | undefined,
  betas: readonly string[],
  knobs: JsonObject,
): Refused | undefined {
  if (!authorization?.startsWith(`Bearer ${prefix}`)) return undefined
  if (authorization !== `Bearer ${prefix}${knobs['signIns']}`)
    return { kind: 'unauthorized', message: 'the access token has expired' }
  if (betas.includes(signedInBeta)) return undefined
  return { kind: 'unauthorized', message: `anthropic-beta must include ${signedInBeta} here` }
}

const Exchange = exact({
  grant_type: Type.Literal('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  assertion: Type.String({ minLength: 1, maxLength: 16 * 1024 }),
  federation_rule_id: id,
  organization_id: id,
  service_account_id: optional(text()),
  workspace_id: optional(text()),
})

export const oauthRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: tokenPath,
    body: Exchange,
    writes: false,
    handle({ headers, ownKnobs }) {
      const betas = (headers['anthropic-beta'] ?? '').split(',')
      const missing = [signedInBeta, exchangeBeta].find((beta) => !betas.includes(beta))
      if (missing !== undefined) throw refuse('invalid', `anthropic-beta must include ${missing} here`)
      return {
        body: { access_token: `${prefix}${ownKnobs['signIns']}`, token_type: 'Bearer', expires_in: lifeSeconds },
      }
    },
  }),
]
