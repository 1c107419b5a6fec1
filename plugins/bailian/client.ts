// Client: base address, authentication, and retries until an upload is visible, which only this API needs.

import { type Static, Type } from 'typebox'
import { ApiClient } from '../../core/plugin/client.js'
import type { RequestOptions } from '../../core/plugin/client-options.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { ConnectEnvironment, Identity } from '../../core/plugin/provider.js'
import { ApiAddress, ApiKey, Exact, Word } from '../../core/plugin/schema.js'
import type { Clock } from '../../core/ports/clock.js'
import type { Json, JsonObject } from '../../core/value/tree.js'
import { classify, skillFileNotFound } from './failure.js'

export const configuration = Exact({
  api_key: ApiKey({ description: 'Platform API key, printable ASCII.' }),
  workspace_id: Word({
    minLength: 1,
    pattern: '^[A-Za-z0-9_.-]*$',
    description: 'Workspace identifier; it is a part of the host name.',
  }),
  base_url: Type.Optional(
    ApiAddress({
      description: 'Replaces the whole derived address, path included: http:// or https://, without user and query.',
    }),
  ),
})
type Configuration = Static<typeof configuration>

const apiPath = '/api/v1/agentstudio'

/** Delays before retrying a registration whose upload is not yet visible to the server. */
const uploadVisibleAfterMs = [1_000, 2_000, 4_000, 8_000] as const

export class BailianClient extends ApiClient {
  /** Clock for waits between polls. */
  readonly clock: Clock

  constructor(configuration: Configuration, environment: ConnectEnvironment) {
    super({
      baseUrl: environment.emulatorUrl ? `${environment.emulatorUrl}/bailian${apiPath}` : baseUrl(configuration),
      headers: () => ({ authorization: `Bearer ${configuration.api_key}` }),
      classify,
      // A deleted skill can still be read for some time.
      isRemoved: ({ status }) => status === 'deleted',
      environment,
    })
    this.clock = environment.clock
  }

  /**
   * Registers an uploaded file. Just after an upload the server may respond that the file does not exist; this response
   * proves that nothing was created, so the registration is retried.
   */
  async register(path: string, body: Json, options: RequestOptions): Promise<JsonObject> {
    for (const waitMs of uploadVisibleAfterMs) {
      try {
        return await this.create(path, body, options)
      } catch (error) {
        if (!isFailure(error) || error.code !== skillFileNotFound) throw error
        await this.clock.sleep(waitMs, options.signal)
      }
    }
    return this.create(path, body, options)
  }
}

export function connect(given: JsonObject, environment: ConnectEnvironment): BailianClient {
  return new BailianClient(given as Configuration, environment) // `configuration` has accepted it.
}

export function identify(given: JsonObject): Identity {
  const accepted = given as Configuration // `configuration` has accepted it.
  return { host: baseUrl(accepted), workspace: accepted.workspace_id }
}

function baseUrl({ workspace_id, base_url }: Configuration): string {
  const derived = `https://${workspace_id}.cn-beijing.maas.aliyuncs.com${apiPath}`
  return (base_url || derived).replace(/\/+$/, '')
}
