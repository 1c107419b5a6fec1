// Uploads step by step, for tests of what happens between the steps.
import { createHash } from 'node:crypto'
import type { Answer, Client } from './client.js'
import { done } from './running-server.js'

export const documents = '/v1/tenants/acme/documents'

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** What `documents.init` is told of these bytes. */
export const requestFor = (bytes: Uint8Array, more: Readonly<Record<string, unknown>> = {}) => ({
  contentLength: bytes.length,
  contentSha256: sha256Of(bytes),
  ...more,
})

export interface Announced {
  readonly id: string
  /** Where the bytes go. */
  readonly url: string
}

/** The tenant `acme` must be there. */
export async function announced(
  api: Client,
  bytes: Uint8Array,
  more?: Readonly<Record<string, unknown>>,
): Promise<Announced> {
  const init = done(await api.post(`${documents}/init`, requestFor(bytes, more)))
  return { id: init.word('/document/id'), url: init.word('/upload/url') }
}

export const commit = (api: Client, id: string, sha256: string): Promise<Answer> =>
  api.post(`${documents}/${id}/commit`, { sha256 })

/** All three steps; answers the commit, whatever became of the document. */
export async function uploaded(
  api: Client,
  bytes: Uint8Array,
  more?: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { id, url } = await announced(api, bytes, more)
  done(await api.sendFile(url, bytes))
  return done(await commit(api, id, sha256Of(bytes)))
}
