// Contract of an emulated API: data and small synchronous functions. The toolkit adds HTTP, schema checks, faults,
// holds, the request log, persistence and the `/_emulator` endpoints.
import type { Static, TSchema } from 'typebox'
import type { Json, JsonObject } from '../../core/value/tree.js'
import type { Issue } from './issues.js'
import type { Knobs } from './knobs.js'
import type { Store, StoredObject } from './store.js'

export interface EmulatedProvider {
  /** Canonical provider name. */
  readonly provider: string
  /** Emulated APIs; a provider may have several with different envelopes over one store. */
  readonly apis: readonly EmulatedApi[]
  /** Collections of the store, by the name that handlers use. */
  readonly collections: Readonly<Record<string, Collection>>
  /** Inserts the initial objects (built-in catalogues, fixed tunnels). Called at the start and after a reset. */
  seed?(context: EmulatorContext): void
  /** Provider-specific switches and their initial values; set with `PUT /_emulator/knobs { "<provider>": {…} }`. */
  readonly knobs?: JsonObject
  /** Names of members whose values are masked in the request log, besides the usual ones. */
  readonly secretMembers?: readonly string[]
}

export interface EmulatedApi {
  /** Path below the emulator's root, `/claude/v1`. */
  readonly prefix: string
  /** Returns a refusal of the caller's headers, or undefined. Called before anything else, also for unknown paths. */
  authorize(request: AuthorizeRequest): Refused | undefined
  readonly routes: readonly Route[]
  /** Returns the provider's error body and status. */
  error(refused: Refused, facts: { readonly requestId: string }): Answer
  /** Adds what all responses contain (a request id as header or member). */
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
  /** Schema of the query parameters as strings. Absent: no query. */
  readonly query?: TSchema
  /** The body is `multipart/form-data`. */
  readonly isForm?: true
  /** True if the route changes objects, so that faults, holds and persistence apply. Default: every method but GET. */
  readonly writes?: boolean
  /** Handles a request. Synchronous, so that a write is atomic. Throws a `Refusal` made by `refuse`. */
  handle(request: EmulatedRequest<Body, Query>): Answer
}

export interface EmulatorContext {
  readonly store: Store
  /** Milliseconds since 1970; strictly increasing with every request. */
  readonly nowMs: number
  readonly knobs: Knobs
  /** Provider-specific switches. */
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
  /** Aborts when the client disconnects or the emulator closes; for streams. */
  readonly signal: AbortSignal
}

export interface UploadedFile {
  readonly field: string
  /** File name with its folders, as sent. */
  readonly filename: string
  readonly mimeType: string
  readonly bytes: Uint8Array
}

export interface Answer {
  /** HTTP status; default 200. */
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
  /** The provider's error code (`environment_archived`). */
  readonly code?: string
  /** Path of the member concerned, such as `config.type`. */
  readonly param?: string
  /** HTTP status, if it differs from the kind's usual one. */
  readonly status?: number
  /** Additional members of some providers' error bodies. */
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

/** Description of a collection for `/_emulator/objects`. */
export interface Collection {
  /** Kind in the specification (`memory_store`), or a provider-specific one that the specification lacks. */
  readonly kind: string
  /** The API, if a provider has the kind in two (`managed`, `forward`). */
  readonly api?: string
  /** True if listed at `/_emulator/objects`. Inner objects (credentials, memories) are not. */
  readonly isTopLevel: boolean
  /** True if the provider cannot delete or archive objects of this collection. */
  readonly isPermanent: boolean
  /** Returns the display name. Default: the body's `name`. */
  name?(object: StoredObject): string
  /** Returns whether the object is archived. Default: the body's `archived_at` is not null. */
  isArchived?(object: StoredObject): boolean
  /** Creation by `POST /_emulator/objects`, as if by another client. Absent: not supported. */
  readonly seeding?: Seeding
  /** Applies the provider's automatic changes when an object changes (a higher version, a later `updated_at`). */
  touched?(object: StoredObject, context: EmulatorContext): StoredObject
}

export interface Seeding<Body = unknown> {
  /** The schema of the create request. */
  readonly schema: TSchema
  /** Default members of the body, so that a seed may be short. */
  readonly defaults: JsonObject
  /** Creates an object, like the create route. Must use `id` if it is given. */
  create(context: EmulatorContext, body: Body, id: string | undefined): StoredObject
}

/** Returns a route whose handler is typed by its schemas, in a form that allows a list of different routes. */
export function route<Body extends TSchema, Query extends TSchema>(
  typed: Omit<Route, 'body' | 'query' | 'handle'> & {
    readonly body?: Body
    readonly query?: Query
    handle(request: EmulatedRequest<Static<Body>, Static<Query>>): Answer
  },
): Route {
  return typed as unknown as Route
}

/** Same as `route`, for seeding. */
export function seeding<Schema extends TSchema>(
  typed: Omit<Seeding<Static<Schema>>, 'schema'> & { readonly schema: Schema },
): Seeding {
  return typed as unknown as Seeding
}
