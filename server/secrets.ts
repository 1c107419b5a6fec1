// What the embedded server keeps secret: made once, in `secrets.json` of its data folder, readable by its owner alone.
// Values from the environment win and are never written down.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { serveProblem } from './problems.js'

const Secrets = Type.Object({
  apiToken: Type.String({ minLength: 16 }),
  /** Base64. */
  signingSecret: Type.String({ minLength: 43 }),
  /** Base64 of 32 bytes. */
  sealingKey: Type.String({ minLength: 43 }),
})
export type Secrets = Static<typeof Secrets>

const secretsValidator = Compile(Secrets)

const environmentNames = {
  apiToken: 'STEWARD_API_TOKEN',
  signingSecret: 'STEWARD_SIGNING_SECRET',
  sealingKey: 'STEWARD_SEALING_KEY',
} as const satisfies Record<keyof Secrets, string>

export async function readSecrets(folder: string, env: Readonly<Record<string, string | undefined>>): Promise<Secrets> {
  const path = join(folder, 'secrets.json')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const kept = (await read(path)) ?? (await make(path))
  const given = Object.entries(environmentNames).flatMap(([name, variable]) =>
    env[variable] ? [[name, env[variable]] as const] : [],
  )
  const secrets: unknown = { ...kept, ...Object.fromEntries(given) }
  if (secretsValidator.Check(secrets)) return secrets
  throw serveProblem('serve.weak-secret', {
    detail: `One of ${Object.values(environmentNames).join(', ')} is shorter than the server accepts.`,
  })
}

async function read(path: string): Promise<Secrets | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const parsed = parse(text)
  if (secretsValidator.Check(parsed)) return parsed
  throw serveProblem('serve.bad-secrets', { detail: `${path} does not hold the secrets of this server.` })
}

async function make(path: string): Promise<Secrets> {
  const secrets: Secrets = {
    apiToken: `stw_${randomBytes(32).toString('base64url')}`,
    signingSecret: randomBytes(48).toString('base64'),
    sealingKey: randomBytes(32).toString('base64'),
  }
  // Two servers started at once: the second finds the file of the first and uses it.
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await file.writeFile(`${JSON.stringify(secrets, undefined, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  return secrets
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Told to the user as a file that is not what it should be, which is all there is to know.
    return undefined
  }
}
