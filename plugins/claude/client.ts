// Client: base address and authentication. Each family of paths requires its own beta header.
import { type Static, Type } from 'typebox'
import { ApiClient } from '../../core/plugin/client.js'
import type { Paging } from '../../core/plugin/paging.js'
import type { ConnectEnvironment, Identity } from '../../core/plugin/provider.js'
import { ApiAddress, ApiKey, Exact, Word } from '../../core/plugin/schema.js'
import type { Clock } from '../../core/ports/clock.js'
import type { JsonObject } from '../../core/value/tree.js'
import { classify } from './failure.js'

export const configuration = Exact({
  api_key: ApiKey({ minLength: 1, description: 'API key, printable ASCII.' }),
  beta: Type.Optional(
    Word({ minLength: 1, description: 'Replaces the anthropic-beta header of all calls but those to memory stores.' }),
  ),
  base_url: Type.Optional(
    ApiAddress({
      minLength: 1,
      description: 'Replaces the whole address, path included: http:// or https://, without user and query.',
    }),
  ),
})
type Configuration = Static<typeof configuration>

const defaultBaseUrl = 'https://api.anthropic.com/v1'

/** Path of the emulated API below the emulator's root. */
export const emulatedPrefix = '/claude/v1'

const apiVersion = '2023-06-01'
/** Skills and files need no value: their older ones select an older form of the answers. */
const defaultBeta = 'managed-agents-2026-04-01'

/** Beta header of memories, which is refused together with any other value. */
const memoryBeta = 'agent-memory-2026-07-22'

/** Paging of lists: an opaque token; files under an older beta, which `beta` may select, continue after the last id. */
export const paging: Paging = {
  next(page) {
    const { next_page: token, has_more: hasMore, last_id: last } = page
    if (typeof token === 'string' && token !== '') return { page: token }
    return hasMore === true && typeof last === 'string' && last !== '' ? { after_id: last } : undefined
  },
  limit: 100,
}

export class ClaudeClient extends ApiClient {
  private readonly clock: Clock

  constructor(configuration: Configuration, environment: ConnectEnvironment) {
    super({
      baseUrl: environment.emulatorUrl ? environment.emulatorUrl + emulatedPrefix : baseUrl(configuration),
      headers: (path) => ({
        'x-api-key': configuration.api_key,
        'anthropic-version': apiVersion,
        'anthropic-beta': path.startsWith('/memory_stores') ? memoryBeta : (configuration.beta ?? defaultBeta),
      }),
      classify,
      environment,
    })
    this.clock = environment.clock
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.clock.sleep(ms, signal)
  }
}

export function connect(given: JsonObject, environment: ConnectEnvironment): ClaudeClient {
  return new ClaudeClient(given as Configuration, environment) // `configuration` has accepted it.
}

export function identify(given: JsonObject): Identity {
  return { host: baseUrl(given as Configuration) } // `configuration` has accepted it.
}

function baseUrl({ base_url }: Configuration): string {
  return (base_url ?? defaultBaseUrl).replace(/\/+$/, '')
}
