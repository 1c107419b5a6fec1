// Where calls go and how they are signed, and the two lists that do not page like the others.
import { type Static, Type } from 'typebox'
import { ApiClient, type Paging, pageTokenPaging } from '../../core/plugin/client.js'
import type { ConnectEnvironment, Identity } from '../../core/plugin/provider.js'
import { Exact, Secret, Word } from '../../core/plugin/schema.js'
import type { JsonObject } from '../../core/value/tree.js'
import { classify } from './failure.js'

export const configuration = Exact({
  api_key: Secret({ minLength: 1, description: 'API key; it belongs to one project of the account.' }),
  base_url: Type.Optional(Word({ minLength: 1, description: 'Replaces the whole address, path included.' })),
})
type Configuration = Static<typeof configuration>

const defaultBaseUrl = 'https://ark.cn-beijing.volces.com/api/v3'

/** Below the emulator's root. */
export const emulatedPrefix = '/ark/api/v3'

/** Credentials come under a name of their own. */
export const credentialPaging: Paging = { ...pageTokenPaging, rows: ['credentials'] }

/** Files go on after the last id. */
export const filePaging: Paging = {
  next: (page) =>
    page['has_more'] === true && typeof page['last_id'] === 'string' && page['last_id']
      ? { after: page['last_id'] }
      : undefined,
  limit: 100,
}

export function connect(given: JsonObject, environment: ConnectEnvironment): ApiClient {
  const accepted = given as Configuration // `configuration` has accepted it.
  return new ApiClient({
    baseUrl: environment.emulatorUrl ? environment.emulatorUrl + emulatedPrefix : baseUrl(accepted),
    headers: () => ({ authorization: `Bearer ${accepted.api_key}` }),
    classify,
    environment,
  })
}

export function identify(given: JsonObject): Identity {
  return { host: baseUrl(given as Configuration) } // `configuration` has accepted it.
}

function baseUrl({ base_url }: Configuration): string {
  return (base_url ?? defaultBaseUrl).replace(/\/+$/, '')
}
