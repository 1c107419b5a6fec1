// Client: base address and authentication. Each family of paths requires its own beta header.
import { type Static, Type } from 'typebox'
import { ApiClient } from '../../core/plugin/client.js'
import type { RequestOptions } from '../../core/plugin/client-options.js'
import type { Paging } from '../../core/plugin/paging.js'
import type { ConnectEnvironment, Identity } from '../../core/plugin/provider.js'
import { ApiAddress, ApiKey, Exact, OneOf, Word } from '../../core/plugin/schema.js'
import type { Clock } from '../../core/ports/clock.js'
import type { Json, JsonObject } from '../../core/value/tree.js'
import { withType } from '../../core/value/with-type.js'
import { objectOf } from '../shared/wire.js'
import { classify } from './failure.js'
import { exchange, signedInBeta, workloadIdentity } from './workload-identity.js'

/** Name of the set of built-in tools, which services that speak this wire version by themselves. */
export const builtinToolset = 'agent_toolset_20260401'

const keyElsewhere = 'The key goes into api_key, and auth says in which header it is sent.'

/** Names of headers but those of credentials, which `api_key` and `auth` make. */
const headerName = Type.String({ pattern: '^(?!(?:[Aa]uthorization|[Xx]-[Aa]pi-[Kk]ey)$)[A-Za-z][A-Za-z0-9-]*$' })

export const configuration = Exact(
  {
    api_key: Type.Optional(
      ApiKey({
        minLength: 1,
        description: 'API key, printable ASCII. Exactly one of api_key, auth_token and workload_identity is needed.',
      }),
    ),
    auth_token: Type.Optional(
      ApiKey({ minLength: 1, description: 'Token that is sent as Authorization: Bearer, printable ASCII.' }),
    ),
    workload_identity: Type.Optional(workloadIdentity),
    beta: Type.Optional(
      Word({
        minLength: 1,
        description: 'Replaces the anthropic-beta header of all calls but those to memory stores.',
      }),
    ),
    base_url: Type.Optional(
      ApiAddress({
        minLength: 1,
        description: 'Replaces the whole address, path included: http:// or https://, without user and query.',
      }),
    ),
    auth: Type.Optional(
      OneOf(['x-api-key', 'bearer'], {
        description: 'Header that api_key is sent in: x-api-key, or bearer for Authorization: Bearer.',
        default: 'x-api-key',
      }),
    ),
    headers: Type.Optional(
      Type.Record(headerName, Word({ pattern: '^[\\x20-\\x7e]+$' }), {
        description:
          'Headers of all calls, in place of anthropic-version and anthropic-beta, for services that have their own.',
        additionalProperties: false,
        'x-refused': { authorization: keyElsewhere, 'x-api-key': keyElsewhere },
        examples: [{ 'zai-version': '2026-05-26' }],
      }),
    ),
    toolset: Type.Optional(
      Word({
        minLength: 1,
        description: 'Type of the set of built-in tools, for services that have their own.',
        default: builtinToolset,
      }),
    ),
  },
  {
    oneOf: [{ required: ['api_key'] }, { required: ['auth_token'] }, { required: ['workload_identity'] }],
    dependentRequired: { auth: ['api_key'] },
  },
)
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
  private readonly toolset: string

  constructor(configuration: Configuration, environment: ConnectEnvironment) {
    const { headers, beta, toolset = builtinToolset, workload_identity: identity } = configuration
    const address = environment.emulatorUrl ? environment.emulatorUrl + emulatedPrefix : baseUrl(configuration)
    super({
      baseUrl: address,
      headers: (path) => ({
        ...keyHeaders(configuration),
        ...(headers ?? {
          'anthropic-version': apiVersion,
          'anthropic-beta': [
            path.startsWith('/memory_stores') ? memoryBeta : (beta ?? defaultBeta),
            ...(identity ? [signedInBeta] : []),
          ].join(','),
        }),
      }),
      ...(identity ? { signIn: exchange(identity, address, environment) } : {}),
      classify,
      ...(toolset === builtinToolset ? {} : { result: (body) => objectOf(withType(body, toolset, builtinToolset)) }),
      environment,
    })
    this.clock = environment.clock
    this.toolset = toolset
  }

  override create(path: string, body: Json | FormData, options?: RequestOptions): Promise<JsonObject> {
    return super.create(path, this.sent(body), options)
  }

  override update(
    path: string,
    body: Json | FormData,
    options?: RequestOptions & { readonly method?: string },
  ): Promise<JsonObject> {
    return super.update(path, this.sent(body), options)
  }

  /** Returns the body with the service's own name of the toolset. */
  private sent(body: Json | FormData): Json | FormData {
    if (this.toolset === builtinToolset || body instanceof FormData) return body
    return withType(body, builtinToolset, this.toolset)
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.clock.sleep(ms, signal)
  }
}

/** Returns the header of a key or a token; a workload signs in instead. */
function keyHeaders({ api_key: key, auth_token: token, auth }: Configuration): Readonly<Record<string, string>> {
  const bearer = token ?? (auth === 'bearer' ? key : undefined)
  if (bearer !== undefined) return { authorization: `Bearer ${bearer}` }
  return key === undefined ? {} : { 'x-api-key': key }
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
