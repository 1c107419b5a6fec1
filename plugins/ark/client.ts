// Client: base address, authentication, the two lists with their own paging, and waiting.
import { type Static, Type } from 'typebox'
import { ApiClient } from '../../core/plugin/client.js'
import { type Paging, pageTokenPaging } from '../../core/plugin/paging.js'
import type { ConnectEnvironment, Identity } from '../../core/plugin/provider.js'
import { ApiAddress, ApiKey, Exact } from '../../core/plugin/schema.js'
import type { Clock } from '../../core/ports/clock.js'
import type { JsonObject } from '../../core/value/tree.js'
import { classify } from './failure.js'

export const configuration = Exact({
  api_key: ApiKey({ minLength: 1, description: 'API key, printable ASCII; it belongs to one project of the account.' }),
  base_url: Type.Optional(
    ApiAddress({
      minLength: 1,
      description: 'Replaces the whole address, path included: http:// or https://, without user and query.',
    }),
  ),
})
type Configuration = Static<typeof configuration>

const defaultBaseUrl = 'https://ark.cn-beijing.volces.com/api/v3'

/** Path of the emulated API below the emulator's root. */
export const emulatedPrefix = '/ark/api/v3'

/** Paging of credentials, whose rows have a member name of their own. */
export const credentialPaging: Paging = { ...pageTokenPaging, rows: ['credentials'] }

/** Paging of files, which continues after the last id. */
export const filePaging: Paging = {
  next: (page) =>
    page['has_more'] === true && typeof page['last_id'] === 'string' && page['last_id']
      ? { after: page['last_id'] }
      : undefined,
  limit: 100,
}

export class ArkClient extends ApiClient {
  private readonly clock: Clock

  constructor(configuration: Configuration, environment: ConnectEnvironment) {
    super({
      baseUrl: environment.emulatorUrl ? environment.emulatorUrl + emulatedPrefix : baseUrl(configuration),
      headers: () => ({ authorization: `Bearer ${configuration.api_key}` }),
      classify,
      environment,
    })
    this.clock = environment.clock
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.clock.sleep(ms, signal)
  }
}

export function connect(given: JsonObject, environment: ConnectEnvironment): ArkClient {
  return new ArkClient(given as Configuration, environment) // `configuration` has accepted it.
}

export function identify(given: JsonObject): Identity {
  return { host: baseUrl(given as Configuration) } // `configuration` has accepted it.
}

function baseUrl({ base_url }: Configuration): string {
  return (base_url ?? defaultBaseUrl).replace(/\/+$/, '')
}
