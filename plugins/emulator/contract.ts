// Contract of an emulated API: data and small synchronous functions. The toolkit adds HTTP, schema checks, faults,
// holds, the request log, persistence and the `/_emulator` endpoints.
import type { Static, TSchema } from 'typebox'
import type { Json, JsonObject } from '../../core/value/tree.js'
import type { Issue } from './issues.js'
import type { Knobs, OwnKnobs } from './knobs.js'
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
  /**
   * Returns the service that answers under another name, below `/NAME`, with an account of its own. Default: the same
   * API.
   */
  dialect?(name: string): EmulatedProvider
  /** Switches of this provider; set with `PUT /_emulator/knobs { "<provider>": {…} }`. */
  readonly knobs?: OwnKnobs
  /** Names of members whose values are masked in the request log, besides the usual ones. */
  readonly secretMembers?: readonly string[]
}

export interface EmulatedApi {
  /** Path below the emulator's root, `/claude/v1`. */
  readonly prefix: string
  /**
   * Returns a refusal of the caller's headers, or undefined. It is called before anything else, also for unknown paths.
   */
  authorize(request: AuthorizeRequest): Refused | undefined
  readonly routes: readonly Route[]
  /** Translates what a request of a dialect says into what the routes expect. */
  receive?(request: Received): Received
  /** Returns the provider's error body and status. */
  error(refused: Refused, facts: { readonly requestId: string }): Answer
  /** Adds the parts that all responses have, such as a request id. */
  finish?(answer: Answer, facts: { readonly requestId: string; readonly path: string }): Answer
}

/** The parts of a request that a dialect says in other words. */
export interface Received {
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

export interface AuthorizeRequest {
  readonly method: string
  /** Path below the prefix, without the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Provider-specific switches. */
  readonly ownKnobs: JsonObject
}

export interface Route<Body = unknown, Query = Readonly<Record<string, string>>> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Pattern of the path below the prefix, `/agents/:id`. */
  readonly path: string
  /** Schema of the body, or of the text fields of a form. If absent, the body must be empty or an empty object. */
  readonly body?: TSchema
  /** Schema of the query parameters, which are strings. If absent, there must be none. */
  readonly query?: TSchema
  /** True if the body is `multipart/form-data`. */
  readonly isForm?: true
  /** True if the route changes objects, so that faults, holds and persistence apply. Default: every method but GET. */
  readonly writes?: boolean
  /**
   * Handles a request. The function is synchronous, so that a write is atomic. It throws a `Refusal`, made by `refuse`.
   */
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
  /** Bytes of a download, in place of `body`. */
  readonly bytes?: Uint8Array
  /** Server-sent events in place of `body`, one text per chunk. */
  readonly stream?: AsyncIterable<string>
}

/** Kind of a refusal, the same for all providers. `error` of the API determines the status and the body. */
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
  /** Additional members that the error bodies of some providers have. */
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

/** Creates a refusal: `throw refuse('conflict', 'the name is taken', { code: 'name_taken' })`. */
export function refuse(kind: RefusalKind, message: string, more: Omit<Refused, 'kind' | 'message'> = {}): Refusal {
  return new Refusal({ kind, message, ...more })
}

/** Description of a collection for `/_emulator/objects`. */
export interface Collection {
  /**
   * Name of the kind in the specification (`memory_store`); a name of the provider if the specification lacks the kind.
   */
  readonly kind: string
  /** API of the collection (`managed`, `forward`), if the provider has the kind in both. */
  readonly api?: string
  /** True if `/_emulator/objects` lists the collection. Inner objects (credentials, memories) are not listed. */
  readonly isTopLevel: boolean
  /** True if the provider cannot delete or archive objects of this collection. */
  readonly isPermanent: boolean
  /** Returns the display name. Default: the body's `name`. */
  name?(object: StoredObject): string
  /** Returns whether the object is archived. Default: the body's `archived_at` is not null. */
  isArchived?(object: StoredObject): boolean
  /** Creates objects for `POST /_emulator/objects`, as if another client had. Absent: not supported. */
  readonly seeding?: Seeding
  /**
   * Applies the changes that the provider makes itself when an object changes: a higher version, a later `updated_at`.
   */
  touched?(object: StoredObject, context: EmulatorContext): StoredObject
}

export interface Seeding<Body = unknown> {
  /** Schema of the create request. */
  readonly schema: TSchema
  /** Default members of the body, so that a seed may be short. */
  readonly defaults: JsonObject
  /** Creates an object, like the create route. Must use `id` if it is given. */
  create(context: EmulatorContext, body: Body, id: string | undefined): StoredObject
}

/**
 * Returns the route unchanged. Its handler is typed by its schemas; the result type lets different routes share a list.
 */
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
