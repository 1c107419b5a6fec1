// Tokens of searches as a client makes them.
import type { Client } from './client.js'
import { done } from './running-server.js'

/** Text in a token: base64 with `-` and `.` for `+` and `/`, without padding. */
export const inTokenText = (text: string): string =>
  Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '.').replaceAll('=', '')

/** The epoch of the content that a manifest names: FNV-1a with 64 bits over its pins. */
export async function epochOf(api: Client, docId: string, headers: Readonly<Record<string, string>> = {}) {
  const manifest = done(await api.get(`/v1/docs/${docId}/layers/default/manifest`, headers))
  const { layoutVersion, pages } = manifest.json() as {
    layoutVersion: number
    pages: { page: { objectNumber: number }; cache: { contentVersion: number } }[]
  }
  const text = [layoutVersion, ...pages.map(({ page, cache }) => `${page.objectNumber}:${cache.contentVersion}`)]
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text.join('|'))) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
  return hash.toString(16).padStart(16, '0')
}

export const searchTokenOf = async (text: string, ...from: Parameters<typeof epochOf>): Promise<string> =>
  `epoch=${await epochOf(...from)},format=segments1,q=${inTokenText(text)}`
