// Which document server the `documents` commands talk to: flags, else the environment, else what a local `agents serve`
// left in its data folder.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documentsProblem } from './problems.js'

export interface ServerAddress {
  readonly url: string
  readonly token: string
}

export interface AddressWish {
  readonly url: string | undefined
  readonly token: string | undefined
  /** Data folder of a local server. */
  readonly data: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export async function findServer({ url, token, data, env }: AddressWish): Promise<ServerAddress> {
  const given = { url: url ?? env.STEWARD_URL, token: token ?? env.STEWARD_API_TOKEN }
  if (given.url !== undefined && given.token !== undefined) return { url: trimmed(given.url), token: given.token }
  const local = await readLocal(data)
  const found = { url: given.url ?? local.url, token: given.token ?? local.apiToken }
  if (found.url !== undefined && found.token !== undefined) return { url: trimmed(found.url), token: found.token }
  const missing = found.url === undefined ? 'No server was named' : 'No token was given'
  throw documentsProblem('documents.no-server', {
    detail: `${missing}, and no server that runs here left word in ${data}.`,
  })
}

/** `server.json` is there only while the server runs. */
async function readLocal(folder: string): Promise<{ readonly url?: string; readonly apiToken?: string }> {
  const [running, secrets] = await Promise.all([
    readJson(join(folder, 'server.json')),
    readJson(join(folder, 'secrets.json')),
  ])
  return { ...textMember(running, 'url'), ...textMember(secrets, 'apiToken') }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    // No file, or one that is being written: then there is nothing to learn from it.
    return undefined
  }
}

function textMember<Name extends string>(value: unknown, name: Name): { readonly [Member in Name]?: string } {
  const members: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {}
  const text = members[name]
  const found: { [Member in Name]?: string } = {}
  if (typeof text === 'string') found[name] = text
  return found
}

const trimmed = (url: string): string => url.replace(/\/+$/, '')
