// Services that speak this wire with headers of their own, as their public pages describe them. Under any other name the
// same API answers to a key in either header.
import type { Json } from '../../../core/value/tree.js'
import { withType } from '../../../core/value/with-type.js'
import {
  type AuthorizeRequest,
  type EmulatedApi,
  type EmulatedProvider,
  type Refused,
  refuse,
} from '../../emulator/contract.js'
import { tokenPath } from './oauth.js'

/** Toolset of the base API. */
const builtinToolset = 'agent_toolset_20260401'

interface Service {
  /** Headers that every call must have, beside the bearer token. */
  readonly headers: Readonly<Record<string, string>>
  readonly toolset?: string
  /** True if lists of files continue after the last id. */
  readonly pagesFilesById?: true
}

const services: Readonly<Record<string, Service>> = {
  zhipu: {
    headers: { 'zai-version': '2026-05-26', 'zai-beta': 'managed-agents-2026-05-26' },
    toolset: 'agent_toolset_20260601',
    pagesFilesById: true,
  },
  qiniu: { headers: {} },
}

export function dialectOf(base: EmulatedProvider, name: string): EmulatedProvider {
  const service = Object.hasOwn(services, name) ? services[name] : undefined
  const speak = (api: EmulatedApi): EmulatedApi =>
    service === undefined ? { ...api, authorize: anyKey } : speaking(api, service)
  return { ...base, apis: base.apis.map(speak) }
}

function anyKey({ path, headers }: AuthorizeRequest): Refused | undefined {
  if (path === tokenPath || headers['x-api-key'] || isBearer(headers)) return undefined
  return { kind: 'unauthorized', message: 'x-api-key or Authorization: Bearer is required' }
}

function speaking(
  api: EmulatedApi,
  { headers: needed, toolset = builtinToolset, pagesFilesById }: Service,
): EmulatedApi {
  return {
    ...api,
    authorize({ headers }) {
      if (!isBearer(headers)) return { kind: 'unauthorized', message: 'Authorization: Bearer is required' }
      const foreign = ['x-api-key', 'anthropic-version', 'anthropic-beta'].find((header) => headers[header])
      if (foreign !== undefined) return { kind: 'invalid', message: `${foreign} is a header of another service` }
      const wrong = Object.entries(needed).find(([header, value]) => headers[header] !== value)
      return wrong && { kind: 'invalid', message: `${wrong[0]} must be ${wrong[1]}` }
    },
    receive({ headers, body }) {
      const text = JSON.stringify(body ?? null)
      if (toolset !== builtinToolset && text.includes(`"${builtinToolset}"`))
        throw refuse('invalid', `tools: the toolset is ${toolset} here`)
      return {
        headers: pagesFilesById ? { ...headers, 'anthropic-beta': pagesById } : headers,
        body: body === undefined ? body : withType(body as Json, toolset, builtinToolset),
      }
    },
    finish(answer, facts) {
      const finished = api.finish?.(answer, facts) ?? answer
      return finished.body === undefined
        ? finished
        : { ...finished, body: withType(finished.body, builtinToolset, toolset) }
    },
  }
}

/** Beta under which the lists of files of the base API continue after an id. */
const pagesById = 'files-api-2025-04-14'

type Headers = Readonly<Record<string, string | undefined>>

const isBearer = (headers: Headers): boolean => /^Bearer \S+$/.test(headers['authorization'] ?? '')
