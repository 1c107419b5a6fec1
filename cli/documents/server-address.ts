// Finds the document server: by the options, else by the environment, else at the address that a local `agents serve`
// recorded in its data folder. A folder may come from anybody, so an address that it names gets a secret only when it proves
// to know that secret.
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Announcement, isProven, isRunning, readAnnouncement } from '../../server/lifecycle/announcement.js'
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
  /** Further secret that the server will receive, in words: `the password of a document`. */
  readonly secret?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingFolder: string
}

export async function findServer(request: AddressRequest): Promise<ServerAddress> {
  const { url, token, data, env, workingFolder } = request
  const name = dataFolder(data, env)
  const folder = resolve(workingFolder, name)
  // During a rotation the server's variable holds the old and the new token.
  const [variableToken] = env.STEWARD_API_TOKEN?.split(',') ?? []
  const given = { url: url ?? (env.STEWARD_URL || undefined), token: token ?? (variableToken?.trim() || undefined) }
  const local = await readLocal(folder)
  if (given.url !== undefined) return addressOf(given.url, given.token, { name, local })
  const { announcement } = local
  const found = given.token ?? local.apiToken
  if (announcement === undefined || found === undefined) {
    throw noServer(announcement === undefined ? 'No server was named' : 'No token was given', name)
  }
  // By now another program may be listening there; it must not receive the token.
  if (!(await isRunning(announcement))) {
    throw documentsProblem('documents.server-gone', {
      detail: `${name} says that process ${announcement.pid} serves it, and there is no such process.`,
    })
  }
  await refuseUnproven({ name, announcement, token: found, isOwn: given.token === undefined, secret: request.secret })
  const reached = parsedUrl(announcement.url)
  return { url: reached, token: found, publicUrl: trimmed(announcement.publicUrl ?? reached) }
}

/** The person named the address, and vouches for it. */
async function addressOf(
  url: string,
  givenToken: string | undefined,
  { name, local: { announcement, apiToken } }: { readonly name: string; readonly local: Local },
): Promise<ServerAddress> {
  const isLocal = announcement !== undefined && trimmed(url) === trimmed(announcement.url)
  const token = givenToken ?? (isLocal ? apiToken : undefined)
  if (token === undefined) throw noServer('No token was given', name)
  const reached = parsedUrl(url)
  // Links for readers lead to the public address, with tokens in them.
  const publicUrl = isLocal && (await isProven(announcement, token)) ? announcement.publicUrl : undefined
  return { url: reached, token, publicUrl: trimmed(publicUrl ?? reached) }
}

interface Unproven {
  readonly name: string
  readonly announcement: Announcement
  readonly token: string
  /** True if the token is of the folder, which proves nothing but that it agrees with itself. */
  readonly isOwn: boolean
  readonly secret: string | undefined
}

async function refuseUnproven({ name, announcement, token, isOwn, secret }: Unproven): Promise<void> {
  const { url } = announcement
  const fix = `If you know the server at this address, name it: --url ${url}, or STEWARD_URL.`
  if (!(await isProven(announcement, token))) {
    const detail = `${name} names ${url}, and nothing shows that the server there is one of this token. Nothing was sent.`
    throw documentsProblem('documents.unproven-server', { detail, fix })
  }
  if (secret === undefined || !isOwn) return
  const detail = `${name} names both ${url} and the token, and anybody can make such a folder; ${secret} was not sent.`
  throw documentsProblem('documents.unproven-server', { detail, fix })
}

interface Local {
  readonly announcement: Announcement | undefined
  readonly apiToken: string | undefined
}

/** Reads `server.json`, which exists while the server runs, and remains if it was killed. */
async function readLocal(folder: string): Promise<Local> {
  const [announced, secrets] = await Promise.all([
    textOf(join(folder, 'server.json')),
    textOf(join(folder, 'secrets.json')),
  ])
  return { announcement: readAnnouncement(announced), apiToken: apiTokenIn(secrets) }
}

function apiTokenIn(secrets: string): string | undefined {
  try {
    const value: unknown = JSON.parse(secrets)
    const token = typeof value === 'object' && value !== null && 'apiToken' in value ? value.apiToken : undefined
    return typeof token === 'string' ? token : undefined
  } catch {
    return undefined
  }
}

async function textOf(path: string): Promise<string> {
  // The file is missing, or not readable for this user.
  return readFile(path, 'utf8').catch(() => '')
}

function noServer(missing: string, name: string): Error {
  return documentsProblem('documents.no-server', {
    detail: `${missing}, and ${name}/server.json names no running server.`,
  })
}

function parsedUrl(url: string): string {
  if (URL.canParse(url) && /^https?:/.test(url)) return trimmed(url)
  throw documentsProblem('documents.no-server', {
    detail: `"${url}" is not the address of a server.`,
    fix: 'Write it as http://127.0.0.1:4780.',
  })
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')
