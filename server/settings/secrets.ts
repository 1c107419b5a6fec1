// What the embedded server keeps secret: made once, in `secrets.json` of its data folder, readable by its owner alone.
// Values from the environment win and are never written down.
import { randomBytes } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { hasCode } from '../../core/ports/disk.js'
import { nodeFiles } from '../storage/files.js'
import { serveProblem } from './problems.js'

/** Source of the API token, so that whoever starts the server knows where to read it. */
export type ApiTokenSource = 'made' | 'file' | 'environment'

export interface Secrets {
  /** Any of them is the API token: while one is replaced by another, both are. The first is the one to tell. */
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

const storedValidator = Compile(StoredSecrets)
const secretBytesMin = 32
const sealingKeyBytes = 32

/** Values by the name they have in the file, with where each came from. */
interface SecretSource {
  readonly value: string
  readonly source: string
}

/** Called before the secrets are read, because reading generates missing ones. */
export async function apiTokenSourceOf(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ApiTokenSource> {
  if (env.STEWARD_API_TOKEN) return 'environment'
  return (await read(join(folder, 'secrets.json'))) === undefined ? 'made' : 'file'
}

export async function readSecrets(folder: string, env: Readonly<Record<string, string | undefined>>): Promise<Secrets> {
  const path = join(folder, 'secrets.json')
  const kept = (await read(path)) ?? (await make(folder, path))
  const given = (name: keyof StoredSecrets, variable: string): SecretSource => {
    const value = env[variable]
    // An empty variable is how scripts leave one out.
    return value ? { value, source: variable } : { value: kept[name], source: `${path}: ${name}` }
  }
  return {
    apiTokens: apiTokensOf(given('apiToken', 'STEWARD_API_TOKEN')),
    signingSecret: bytesOf(given('signingSecret', 'STEWARD_SIGNING_SECRET'), { min: secretBytesMin }),
    sealingKey: bytesOf(given('sealingKey', 'STEWARD_SEALING_KEY'), { min: sealingKeyBytes, max: sealingKeyBytes }),
  }
}

/** Several are separated by commas. Only what fits into a header can ever be sent. */
function apiTokensOf({ value, source }: SecretSource): Secrets['apiTokens'] {
  const [first, ...others] = value.split(',').map((token) => token.trim())
  const areFit = [first, ...others].every((token) => token !== undefined && /^[\x21-\x7e]{16,1024}$/.test(token))
  if (first !== undefined && areFit) return [first, ...others]
  throw serveProblem('serve.weak-secret', {
    detail: `${source} must be 16 printable characters or more, without spaces; several are separated by commas.`,
  })
}

/** Decoding forgives what is no base64, and would make a long passphrase a short key, or none. */
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

/** Whoever can read the file is the operator; and what a link leads to may be of somebody else tomorrow. */
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

/** Whole or not at all: a server that lost its secrets half-way accepts no token it ever gave. */
async function make(folder: string, path: string): Promise<StoredSecrets> {
  const secrets: StoredSecrets = {
    apiToken: `stw_${randomBytes(32).toString('base64url')}`,
    signingSecret: randomBytes(48).toString('base64'),
    sealingKey: randomBytes(sealingKeyBytes).toString('base64'),
  }
  const unfinished = `${path}.part`
  await nodeFiles.remove(unfinished)
  const file = await nodeFiles.create(unfinished)
  try {
    await file.write(Buffer.from(`${JSON.stringify(secrets, undefined, 2)}\n`, 'utf8'))
    await file.sync()
  } finally {
    await file.close()
  }
  await nodeFiles.rename(unfinished, path)
  await nodeFiles.syncFolder(folder)
  return secrets
}
