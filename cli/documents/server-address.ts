// Finds the document server: by the options, else by the environment, else at the address that a local `agents serve`
// recorded in its data folder.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { dataFolder } from './data-option.js'
import { documentsProblem } from './problems.js'

export interface ServerAddress {
  readonly url: string
  readonly token: string
  /** Address that people elsewhere use. */
  readonly publicUrl: string
}

export interface AddressRequest {
  readonly url: string | undefined
  readonly token: string | undefined
  /** Data folder of a local server. */
  readonly data: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
}

export async function findServer({ url, token, data, env, workingFolder }: AddressRequest): Promise<ServerAddress> {
  const folder = dataFolder(data, env)
  // During a rotation the server's variable holds the old and the new token.
  const [variableToken] = env.STEWARD_API_TOKEN?.split(',') ?? []
  const given = { url: url ?? (env.STEWARD_URL || undefined), token: token ?? (variableToken?.trim() || undefined) }
  const local = await readLocal(resolve(workingFolder, folder))
  // The token is sent to its own server only.
  const isLocal = given.url === undefined || trimmed(given.url) === local.url
  const found = { url: given.url ?? local.url, token: given.token ?? (isLocal ? local.apiToken : undefined) }
  if (found.url === undefined || found.token === undefined) {
    const missing = found.url === undefined ? 'No server was named' : 'No token was given'
    throw documentsProblem('documents.no-server', {
      detail: `${missing}, and ${folder}/server.json names no running server.`,
    })
  }
  // By now another program may be listening there; it must not receive the token.
  if (given.url === undefined && local.pid !== undefined && !isRunning(local.pid)) {
    throw documentsProblem('documents.server-gone', {
      detail: `${folder} says that process ${local.pid} serves it, and there is no such process.`,
    })
  }
  const reached = parsedUrl(found.url)
  return {
    url: reached,
    token: found.token,
    publicUrl: isLocal && local.publicUrl ? trimmed(local.publicUrl) : reached,
  }
}

interface Local {
  readonly url?: string
  readonly publicUrl?: string
  readonly pid?: number
  readonly apiToken?: string
}

/** Reads `server.json`, which exists while the server runs, and remains if it was killed. */
async function readLocal(folder: string): Promise<Local> {
  const [{ url, publicUrl, pid }, { apiToken }] = await Promise.all([
    readJson(join(folder, 'server.json')),
    readJson(join(folder, 'secrets.json')),
  ])
  return {
    ...(typeof url === 'string' ? { url } : {}),
    ...(typeof publicUrl === 'string' ? { publicUrl } : {}),
    ...(typeof pid === 'number' ? { pid } : {}),
    ...(typeof apiToken === 'string' ? { apiToken } : {}),
  }
}

async function readJson(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    // The file is missing or being written.
    return {}
  }
}

/** Sends signal 0, which only tests whether the process exists. EPERM means that it runs as another user. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function parsedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return trimmed(url)
  throw documentsProblem('documents.no-server', {
    detail: `"${url}" is not the address of a server.`,
    fix: 'Write it as http://127.0.0.1:4780.',
  })
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')
