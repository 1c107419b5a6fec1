// Client: two APIs over one account, managed and forward, with one token.
import { type Static, Type } from 'typebox'
import { IdentifiedObject } from '../../core/plugin/answer.js'
import { ApiClient } from '../../core/plugin/client.js'
import type { Paging } from '../../core/plugin/paging.js'
import type { ConnectEnvironment, Identity } from '../../core/plugin/provider.js'
import { ApiAddress, ApiKey, Exact } from '../../core/plugin/schema.js'
import type { JsonObject } from '../../core/value/tree.js'
import { classify } from './failure.js'

export const configuration = Exact({
  api_key: ApiKey({ minLength: 1, description: 'Personal access token, printable ASCII.' }),
  gateway: Type.Optional(
    ApiAddress({
      minLength: 1,
      description:
        'Base address of the managed API, http:// or https:// without user and query; its path ends in /api/v1/cloud.',
    }),
  ),
  forward_gateway: Type.Optional(
    ApiAddress({
      minLength: 1,
      description:
        'Base address of the forward API, http:// or https:// without user and query. Default: derived from gateway.',
    }),
  ),
})
type Configuration = Static<typeof configuration>

export type Api = 'managed' | 'forward'
export interface QoderClient extends Readonly<Record<Api, ApiClient>> {
  wait(ms: number, signal: AbortSignal): Promise<void>
}

const defaultGateway = 'https://api.qoder.com/api/v1/cloud'
const emulatorPaths: Readonly<Record<Api, string>> = {
  managed: '/qoder/api/v1/cloud',
  forward: '/qoder/api/v1/forward',
}

/** Schema of objects with an id, which older responses about files name `file_id`. */
const Identified = Type.Union([IdentifiedObject, Type.Object({ file_id: Type.String({ minLength: 1 }) })], {
  description: 'an object with an id',
})

/** True for archived objects, which can still be read. */
const isRemoved = ({ archived_at }: JsonObject): boolean => typeof archived_at === 'string'

/** Paging of lists: newer ones return an opaque `next_page`; older ones continue after the last id. */
export const paging: Paging = {
  next(page) {
    const { next_page: token, has_more: hasMore, last_id: last } = page
    if (typeof token === 'string' && token !== '') return { page: token }
    return hasMore === true && typeof last === 'string' && last !== '' ? { after_id: last } : undefined
  },
  limit: 100,
}

export function connect(given: JsonObject, environment: ConnectEnvironment): QoderClient {
  const accepted = given as Configuration // `configuration` has accepted it.
  const { emulatorUrl } = environment
  const headers = () => ({ authorization: `Bearer ${accepted.api_key}` })
  const client = (api: Api) => {
    const baseUrl = emulatorUrl === undefined ? baseUrls(accepted)[api] : emulatorUrl + emulatorPaths[api]
    return new ApiClient({ baseUrl, headers, classify, answer: Identified, isRemoved, environment })
  }
  const wait = (ms: number, signal: AbortSignal) => environment.clock.sleep(ms, signal)
  return { managed: client('managed'), forward: client('forward'), wait }
}

export function identify(given: JsonObject): Identity {
  const { managed, forward } = baseUrls(given as Configuration) // `configuration` has accepted it.
  return forward === forwardOf(managed) ? { host: managed } : { host: managed, workspace: forward }
}

/** Returns the header with which a repeated create returns the object of the first one. */
export function idempotent(
  { signal }: { readonly signal: AbortSignal },
  nonce: string,
): { readonly signal: AbortSignal; readonly headers: Readonly<Record<string, string>> } {
  return { signal, headers: { 'idempotency-key': nonce } }
}

function baseUrls({ gateway, forward_gateway }: Configuration): Readonly<Record<Api, string>> {
  const managed = trimmed(gateway ?? defaultGateway)
  return { managed, forward: forward_gateway === undefined ? forwardOf(managed) : trimmed(forward_gateway) }
}

function forwardOf(managed: string): string {
  return managed.endsWith('/cloud') ? `${managed.slice(0, -'/cloud'.length)}/forward` : `${managed}/forward`
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}
