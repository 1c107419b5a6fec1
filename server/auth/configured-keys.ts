// Token verification keys from the settings: a public key, a JWKS, or else the minting secret.
import { readFile } from 'node:fs/promises'
import type { JSONWebKeySet } from 'jose'
import type { Config } from '../settings/config.js'
import { serveProblem } from '../settings/problems.js'
import type { Secrets } from '../settings/secrets.js'
import { jwksKeys, publicKeys, symmetricKeys, type VerificationKeys } from './keys.js'

type KeySettings = Pick<Config, 'tokenPublicKey' | 'tokenJwks' | 'tokenIssuer' | 'tokenAudience'>

export async function configuredKeys(
  { tokenIssuer, tokenAudience, ...settings }: KeySettings,
  secrets: Pick<Secrets, 'signingSecret'>,
): Promise<VerificationKeys> {
  const keys = await keysOf(settings, secrets)
  if (keys.mintingSecret === undefined) {
    return {
      ...keys,
      ...(tokenIssuer === undefined ? {} : { issuer: tokenIssuer }),
      ...(tokenAudience === undefined ? {} : { audience: tokenAudience }),
    }
  }
  const needless = Object.entries({ tokenIssuer, tokenAudience }).find(([, value]) => value !== undefined)
  if (needless === undefined) return keys
  const detail = `${needless[0]} is for tokens of somebody else: it needs tokenPublicKey or tokenJwks.`
  throw serveProblem('serve.bad-setting', { detail })
}

async function keysOf(
  { tokenPublicKey, tokenJwks }: KeySettings,
  { signingSecret }: Pick<Secrets, 'signingSecret'>,
): Promise<VerificationKeys> {
  if (tokenPublicKey !== undefined) return readKey(tokenPublicKey, async (path) => publicKeys(await readText(path)))
  if (tokenJwks === undefined) return symmetricKeys(signingSecret)
  return readKey(tokenJwks, async (place) => {
    if (/^https?:\/\//i.test(place)) return jwksKeys(keysUrl(place))
    const jwks: JSONWebKeySet = JSON.parse(await readText(place))
    return jwksKeys(jwks)
  })
}

/** Requires https except on this machine: an attacker between the servers could substitute keys. */
function keysUrl(text: string): URL {
  const url = new URL(text)
  const isSafe = url.protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (isSafe) return url
  throw new TypeError('keys are read over https:// only')
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8')

async function readKey(place: string, read: (place: string) => Promise<VerificationKeys>): Promise<VerificationKeys> {
  try {
    return await read(place)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw serveProblem('serve.bad-key', { detail: `${place}: ${reason}.`, cause: error })
  }
}
