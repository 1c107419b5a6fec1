// Secrets of the embedded server: generated once in `secrets.json` of the data folder, readable by its owner only.
// Values from the environment take precedence and are never written to disk.
import { randomBytes } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { hasCode } from '../../core/ports/disk.js'
import { writeOnce } from '../storage/whole-file.js'
import { serveProblem } from './problems.js'

/** Source of the API token, shown to the operator at start. */
export type ApiTokenSource = 'made' | 'file' | 'environment'

export interface Secrets {
  /** Accepted API tokens, several during a rotation. The first one is shown to the operator. */
  readonly apiTokens: readonly [string, ...string[]]
  readonly signingSecret: Uint8Array
  readonly sealingKey: Uint8Array
}

const StoredSecrets = Type.Object({
  apiToken: Type.String(),
  /** Base64. */
  signingSecret: Type.String(),
  /** Base64 of 32 bytes. */
  sealingKey: Type.String(),
})
type StoredSecrets = Static<typeof StoredSecrets>

/** Variables that override the file, by secret. A server that has all three writes no file. */
const variables = {
  apiToken: 'STEWARD_API_TOKEN',
  signingSecret: 'STEWARD_SIGNING_SECRET',
  sealingKey: 'STEWARD_SEALING_KEY',
} as const satisfies Record<keyof StoredSecrets, string>

export type SecretVariables = Readonly<Record<(typeof variables)[keyof typeof variables], string>>

/** The secrets as an environment would name them, for another process of this server. */
export const secretVariables = ({ apiTokens, signingSecret, sealingKey }: Secrets): SecretVariables => ({
  STEWARD_API_TOKEN: apiTokens.join(','),
  STEWARD_SIGNING_SECRET: Buffer.from(signingSecret).toString('base64'),
  STEWARD_SEALING_KEY: Buffer.from(sealingKey).toString('base64'),
})

const storedValidator = Compile(StoredSecrets)
const secretBytesMin = 32
const sealingKeyBytes = 32

/** Secret with its source, for messages. */
interface SecretSource {
  readonly value: string
  readonly source: string
}

/** Called before the secrets are read, because reading generates missing ones. */
export async function apiTokenSourceOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ApiTokenSource> {
  if (env[variables.apiToken]) return 'environment'
  return (await read(join(folder, 'secrets.json'))) === undefined ? 'made' : 'file'
}

/** Secrets that were given or made; reading them makes none. */
export type SecretsAtHand = Partial<Pick<Secrets, 'signingSecret' | 'sealingKey'>>

/** Returns the secrets that a start would use; those that it would make are left out. */
export async function secretsAtHand(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SecretsAtHand> {
  if ((await read(join(folder, 'secrets.json'))) !== undefined) return readSecrets(folder, env)
  const signing = env[variables.signingSecret]
  const sealing = env[variables.sealingKey]
  return {
    ...(signing && { signingSecret: signingSecretOf({ value: signing, source: variables.signingSecret }) }),
    ...(sealing && { sealingKey: sealingKeyOf({ value: sealing, source: variables.sealingKey }) }),
  }
}

export async function readSecrets(folder: string, env: Readonly<Record<string, string | undefined>>): Promise<Secrets> {
  const path = join(folder, 'secrets.json')
  let stored = await read(path)
  const sourceOf = async (name: keyof StoredSecrets): Promise<SecretSource> => {
    const value = env[variables[name]]
    // An empty variable counts as unset.
    if (value) return { value, source: variables[name] }
    stored ??= await make(path)
    return { value: stored[name], source: `${path}: ${name}` }
  }
  return {
    apiTokens: apiTokensOf(await sourceOf('apiToken')),
    signingSecret: signingSecretOf(await sourceOf('signingSecret')),
    sealingKey: sealingKeyOf(await sourceOf('sealingKey')),
  }
}

/** Parses comma-separated tokens. Each must be valid in an HTTP header. */
function apiTokensOf({ value, source }: SecretSource): Secrets['apiTokens'] {
  const [first, ...others] = value.split(',').map((token) => token.trim())
  const areFit = [first, ...others].every((token) => token !== undefined && /^[\x21-\x7e]{16,1024}$/.test(token))
  if (first !== undefined && areFit) return [first, ...others]
  throw serveProblem('serve.weak-secret', {
    detail: `${source} must be 16 printable characters or more, without spaces; several are separated by commas.`,
  })
}

const signingSecretOf = (given: SecretSource): Buffer => bytesOf(given, { min: secretBytesMin })
const sealingKeyOf = (given: SecretSource): Buffer => bytesOf(given, { min: sealingKeyBytes, max: sealingKeyBytes })

/** Decodes strictly: a lenient decoder would turn a passphrase into a short or empty key. */
function bytesOf(
  { value, source }: SecretSource,
  { min, max = 1024 }: { readonly min: number; readonly max?: number },
): Buffer {
  const text = value.trim()
  const bytes = Buffer.from(text, 'base64')
  const isBase64 = /^(?:[A-Za-z0-9+/]+={0,2}|[A-Za-z0-9_-]+)$/.test(text)
  if (isBase64 && bytes.length >= min && bytes.length <= max) return bytes
  const size = min === max ? `${min}` : `${min} or more`
  throw serveProblem('serve.weak-secret', { detail: `${source} must be the base64 form of ${size} random bytes.` })
}

async function read(path: string): Promise<StoredSecrets | undefined> {
  try {
    await refuseShared(path)
    const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (storedValidator.Check(parsed)) return parsed
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    if (!(error instanceof SyntaxError)) throw error
  }
  throw serveProblem('serve.bad-secrets', { detail: `${path} does not hold the secrets of this server.` })
}

/** Refuses a file that is a symbolic link or accessible to others. */
async function refuseShared(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) {
    const fix = `Put the file itself there: cp --remove-destination "$(readlink -f ${path})" ${path} && chmod 600 ${path}`
    throw serveProblem('serve.shared-secrets', { detail: `${path} is a symbolic link.`, fix })
  }
  const isShared = process.platform !== 'win32' && (found.mode & 0o077) !== 0
  if (!isShared) return
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
  const detail = `${path} has mode ${mode}: others may read or write it.`
  throw serveProblem('serve.shared-secrets', {
    detail,
    fix: `Run chmod 600 ${path}; where others may have read it, make new secrets.`,
  })
}

/** Makes the file, unless another process on the folder has made it meanwhile; returns what it has. */
async function make(path: string): Promise<StoredSecrets> {
  const secrets: StoredSecrets = {
    apiToken: `stw_${randomBytes(32).toString('base64url')}`,
    signingSecret: randomBytes(48).toString('base64'),
    sealingKey: randomBytes(sealingKeyBytes).toString('base64'),
  }
  const isMade = await writeOnce(path, `${JSON.stringify(secrets, undefined, 2)}\n`)
  return isMade ? secrets : ((await read(path)) ?? make(path))
}
