// Single steps of uploads, for tests between the steps.
import { createHash } from 'node:crypto'
import type { Answer, Client } from './client.js'
import { done } from './running-server.js'

export const documents = '/v1/tenants/acme/documents'

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Returns the body of `documents.init` for these bytes. */
export const requestFor = (bytes: Uint8Array, more: Readonly<Record<string, unknown>> = {}) => ({
  contentLength: bytes.length,
  contentSha256: sha256Of(bytes),
  ...more,
})

export interface Announced {
  readonly id: string
  /** Path that the bytes are sent to. */
  readonly url: string
}

/** Announces an upload. The tenant `acme` must exist. */
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

/** Runs all three steps. Returns the response of the commit, whatever the state of the document. */
export async function uploaded(
  api: Client,
  bytes: Uint8Array,
  more?: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const { id, url } = await announced(api, bytes, more)
  done(await api.sendFile(url, bytes))
  return done(await commit(api, id, sha256Of(bytes)))
}
