// How one provider's emulated API is written down: data and small synchronous functions. The toolkit does the rest:
// HTTP, schema checks, faults, holds, the request log, persistence and the `/_emulator` endpoints.
import type { Static, TSchema } from 'typebox'
import type { Json, JsonObject } from '../../core/value/tree.js'
import type { Issue } from './issues.js'
import type { Knobs } from './knobs.js'
import type { Store, StoredObject } from './store.js'

export interface EmulatedProvider {
  /** Canonical provider name. */
  readonly provider: string
  /** Most providers have one; qoder has two with different envelopes over one store. */
  readonly apis: readonly EmulatedApi[]
  /** Every collection the handlers keep in the store, by the name they use there. */
  readonly collections: Readonly<Record<string, Collection>>
  /** Puts in what a fresh account holds (built-in catalogues, fixed tunnels). Runs at the start and after a reset. */
  seed?(context: EmulatorContext): void
  /** Switches of this provider alone and their start values; set with `PUT /_emulator/knobs { "<provider>": {…} }`. */
  readonly knobs?: JsonObject
  /** Names of members whose values the request log must not show, besides the usual ones. */
  readonly secretMembers?: readonly string[]
}

export interface EmulatedApi {
  /** Path below the emulator's root, `/claude/v1`. */
  readonly prefix: string
  /** Returns what is wrong with the caller's headers, or undefined. Runs before anything else, on unknown paths too. */
  authorize(request: AuthorizeRequest): Refused | undefined
  readonly routes: readonly Route[]
  /** The provider's own error body and status. */
  error(refused: Refused, facts: { readonly requestId: string }): Answer
  /** Adds what every answer carries (a request id header or member). */
  finish?(answer: Answer, facts: { readonly requestId: string; readonly path: string }): Answer
}

export interface AuthorizeRequest {
  readonly method: string
  /** Below the prefix, without the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface Route<Body = unknown, Query = Readonly<Record<string, string>>> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the prefix, `/agents/:id`. */
  readonly path: string
  /** Absent: no body, or an empty object. For a form: the schema of its text fields. */
  readonly body?: TSchema
  /** Over strings, as they come. Absent: no query. */
  readonly query?: TSchema
  /** `multipart/form-data`. */
  readonly isForm?: true
  /** Changes something, so faults, holds and persistence concern it. Default: every method but GET. */
  readonly writes?: boolean
  /** Synchronous, so that a write happens wholly or not at all. Throws what `refuse` makes. */
  handle(request: EmulatedRequest<Body, Query>): Answer
}

export interface EmulatorContext {
  readonly store: Store
  /** Milliseconds since 1970; strictly later at every request. */
  readonly nowMs: number
  readonly knobs: Knobs
  /** This provider's own switches. */
  readonly ownKnobs: JsonObject
}

export interface EmulatedRequest<Body = unknown, Query = unknown> extends EmulatorContext {
  readonly requestId: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly params: Readonly<Record<string, string>>
  readonly body: Body
  readonly query: Query
  /** The files of a form, in order. */
  readonly files: readonly UploadedFile[]
  /** Aborts when the client goes away or the emulator closes; for streams. */
  readonly signal: AbortSignal
}

export interface UploadedFile {
  readonly field: string
  /** Name with its folders, as sent. */
  readonly filename: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

export interface Answer {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
  /** Instead of `body`: a download. */
  readonly bytes?: Uint8Array
  /** Instead of `body`: server-sent events, one text per chunk. */
  readonly stream?: AsyncIterable<string>
}

/** A refusal, provider-neutral. `error` of the API gives it its status and shape. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'conflict'
  | 'tooLarge'
  | 'rateLimited'
  | 'serverError'
  | 'overloaded'

export interface Refused {
  readonly kind: RefusalKind
  readonly message: string
  /** The provider's own word (`environment_archived`). */
  readonly code?: string
  /** The member concerned, `config.type`. */
  readonly param?: string
  /** Status, if the kind's usual one does not fit. */
  readonly status?: number
  /** Further members some providers put beside the message. */
  readonly details?: JsonObject
  /** Findings of the schema check, for `invalid`. */
  readonly issues?: readonly Issue[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown by handlers; the toolkit answers it in the provider's shape. */
export class Refusal extends Error {
  constructor(readonly refused: Refused) {
    super(refused.message)
    this.name = 'Refusal'
  }
}

/** `throw refuse('conflict', 'the name is taken', { code: 'name_taken' })` */
export function refuse(kind: RefusalKind, message: string, more: Omit<Refused, 'kind' | 'message'> = {}): Refusal {
  return new Refusal({ kind, message, ...more })
}

/** How a collection looks from `/_emulator/objects`. */
export interface Collection {
  /** The specification's word (`memory_store`), or one of the provider's own for what the specification lacks. */
  readonly kind: string
  /** The API, if a provider has the kind in two (`managed`, `forward`). */
  readonly api?: string
  /** Listed at `/_emulator/objects`. Inner objects (credentials, memories) are not. */
  readonly isTopLevel: boolean
  /** The provider offers no way to delete or archive one. */
  readonly isPermanent: boolean
  /** Name for people. Default: the body's `name`. */
  name?(object: StoredObject): string
  /** Default: the body's `archived_at` is not null. */
  isArchived?(object: StoredObject): boolean
  /** How `POST /_emulator/objects` makes one, as if somebody else had. Absent: it cannot. */
  readonly seeding?: Seeding
  /** Changes that the provider makes by itself when an object changes (a higher version, a later `updated_at`). */
  touched?(object: StoredObject, context: EmulatorContext): StoredObject
}

export interface Seeding<Body = unknown> {
  /** The schema of the create request. */
  readonly schema: TSchema
  /** Put under the given body, so that a seed may be short. */
  readonly defaults: JsonObject
  /** The same function the create route calls. Must use `id` where it is given. */
  create(context: EmulatorContext, body: Body, id: string | undefined): StoredObject
}

/** Ties a route's handler to its schemas, then lets differently typed routes be one list. */
export function route<Body extends TSchema, Query extends TSchema>(
  typed: Omit<Route, 'body' | 'query' | 'handle'> & {
    readonly body?: Body
    readonly query?: Query
    handle(request: EmulatedRequest<Static<Body>, Static<Query>>): Answer
  },
): Route {
  return typed as unknown as Route
}

/** Like `route`, for seeds. */
export function seeding<Schema extends TSchema>(
  typed: Omit<Seeding<Static<Schema>>, 'schema'> & { readonly schema: Schema },
): Seeding {
  return typed as unknown as Seeding
}
