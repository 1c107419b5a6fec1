// Type of an operation: method, path, schemas, authority, handler. Routes, authority checks, OpenAPI and the trait
// tests derive from these entries.
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Capability } from '../../workers/contract/capabilities.js'
import type { CollabAction, OpNeeds } from '../../workers/contract/ops/op-contract.js'
import type { Caller } from '../auth/caller.js'
import type { TenantScope } from '../auth/tenant-scopes.js'
import type { BehindLayer, MovedContent } from '../caches/moved-layer.js'
import type { DocumentRow } from '../rows/document.js'
import type { LayerRow } from '../rows/layer.js'
import type { PasswordSessionRow } from '../rows/password-session.js'
import type { TenantRow } from '../rows/tenant.js'
import type { Deployment } from './deployment.js'

/** API plane: determines the error envelope and the subtree of the path. */
export type Plane = 'deployment' | 'tenant' | 'document'

/** Credential that an operation requires. The API token satisfies every requirement. */
export type Authority =
  | { readonly kind: 'none' }
  | { readonly kind: 'api-token' }
  /** A tenant token of the path's tenant with one of the scopes. */
  | { readonly kind: 'tenant'; readonly scopes: readonly TenantScope[] }
  /**
   * A document token of the path's document (and layer) with all of the capabilities, or with a collaboration scope for
   * the action, which is then checked against the annotation.
   */
  | {
      readonly kind: 'document'
      readonly capabilities: readonly Capability[]
      readonly orCollab?: CollabAction
      /** Capabilities that are required in addition, also with a collaboration scope. */
      readonly besides?: readonly Capability[]
      /** Needs of ops, of which at least one must be met: others may neither send a body nor store anything. */
      readonly oneOf?: readonly OpNeeds[]
    }

export interface InternalRow<Row> {
  /** Internal id: the key of all its data. */
  readonly internal: string
  readonly row: Row
}

/** Context of a handler. Tenant, document and layer are present if the path names them. */
export interface Context {
  readonly deployment: Deployment
  readonly caller: Caller
  readonly log: FastifyBaseLogger
  /** Returns a signal that is aborted when the client disconnects. */
  readonly signal: () => AbortSignal
  readonly requestId: string
  /** Network address of the client, for rate limits. */
  readonly address: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /**
   * Parts of a multipart body, in order; each must be read or drained before the next. Only for operations with
   * `files`.
   */
  readonly parts: () => AsyncIterable<BodyPart>
  readonly findRead: FindRead
  /** Files sent with the body, by key, removed after the response. Only for operations with `resources`. */
  readonly resources: () => Resources
}

export type Resources = Readonly<Record<string, ReceivedFile>>

/** File of the request, in the staging folder. */
export interface ReceivedFile {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
  readonly fileName: string | undefined
}

export type BodyPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | {
      readonly kind: 'file'
      readonly name: string
      readonly fileName: string | undefined
      readonly contentType: string
      readonly bytes: AsyncIterable<Uint8Array>
    }

/** Finds the read of a path; undefined if the path has none that a link can name. */
export type FindRead = (path: string) => NamedRead | undefined

export interface NamedRead {
  readonly operation: Operation
  /** As written in the path. */
  readonly docId: string
  /** As written in the path; undefined for reads of inherited content, whose path names no layer. */
  readonly layerName: string | undefined
}

export interface TenantContext extends Context {
  readonly tenant: InternalRow<TenantRow>
}

export interface DocumentContext extends TenantContext {
  readonly document: InternalRow<DocumentRow>
  /** Name of the layer; `default` if the path names none. */
  readonly layerName: string
  /** Row of the layer, read in the same snapshot as the document; undefined = the layer has no edits. */
  readonly layer: LayerRow | undefined
  /** Merged layer; present if the document has a newer version than the stored layer. */
  readonly moved?: MovedContent | undefined
  /** Why the layer cannot be moved over the head version. */
  readonly behind?: BehindLayer | undefined
  /** Document password: sent by the API token, or of the running session of a document token. */
  readonly password: Uint8Array | undefined
  /** Owner of the password of a document token's running session; undefined without a session. */
  readonly openedAs: PasswordSessionRow['openedAs'] | undefined
}

interface ContextOf {
  readonly deployment: Context
  readonly tenant: TenantContext
  readonly document: DocumentContext
}

export interface Input<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** Response of bytes instead of JSON. */
export interface BytesAnswer {
  readonly contentType: string
  readonly body: Readable | Uint8Array
  readonly status?: 200 | 206
  readonly headers?: Readonly<Record<string, string>>
}

export interface OperationShape {
  readonly params?: TSchema
  readonly query?: TSchema
  /**
   * Schema of the body. With `additionalProperties: false` it is strict (unknown members are refused); otherwise
   * unknown members are dropped.
   */
  readonly body?: TSchema
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise

type InputOf<Shape extends OperationShape> = Input<
  StaticOr<Shape['params'], Record<never, never>>,
  StaticOr<Shape['query'], Record<never, never>>,
  StaticOr<Shape['body'], undefined>
>

export interface Operation<Shape extends OperationShape = OperationShape, In extends Plane = Plane> {
  /** Unique name in the wire contract, such as `documents.init`. */
  readonly name: string
  readonly summary: string
  readonly plane: In
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path in fastify's notation: `/v1/tenants/:tenantId/documents/:id`. */
  readonly path: string
  readonly authority: Authority
  readonly input: Shape
  /** Form of the response: a schema for JSON, `none` for 204, or a list of media types for bytes. */
  readonly answer: TSchema | 'none' | readonly string[]
  /** Schema of the part `body` of a multipart answer, which names its files `resource:<key>`. */
  readonly parts?: TSchema
  /** Further statuses with a JSON body, for example `202` of an import. */
  readonly answers?: Readonly<Record<number, TSchema>>
  /** True if the body may be absent or empty. */
  readonly isBodyOptional?: boolean
  /** Names of the file parts of a multipart body; the handler reads them with `context.parts()`. */
  readonly files?: readonly string[]
  /**
   * True if files may be sent with the body: the request is then multipart, with the JSON as the part `body` and each
   * file as `resource:<key>`. The handler gets the validated `body` either way, and the files from
   * `context.resources()`.
   */
  readonly resources?: true
  /** Body used for a multipart request whose only part is `file`, which becomes the resource `file`. */
  readonly bodyOfLoneFile?: object
  /** Media types of a request whose body is the file itself; then `bodyOfLoneFile` is the body. */
  readonly fileTypes?: readonly string[]
  /** Maximum size of the JSON body, in bytes. Default: by plane, see `http/hold-body.ts`. */
  readonly bodyBytesMax?: number
  /** Meaning of the only part `file` of a multipart request: it contains the JSON body. */
  readonly loneFile?: 'body'
  /**
   * True if the operation is one change of a layer. It accepts an `Idempotency-Key`, which is the opId of the change
   * (see `writeOne`).
   */
  readonly isChange?: true
  /**
   * Set if the path names immutable content (a version by its hash), so that caches may store the response
   * indefinitely. With `query`: only if the request has this parameter, which names what else the response depends on.
   */
  readonly isImmutable?: true | { readonly query: string }
  /** True if the response is an endless stream, so that HEAD is not supported. */
  readonly isEndless?: boolean
  /** True if the operation is available for locked documents, also to credentials that cannot send the password. */
  readonly answersLocked?: boolean
  /** True if the operation takes the password of a document in its body and verifies it. */
  readonly unlocks?: true
  /** Documentation of a stream of server-sent events: description, and schema of `data`. */
  readonly events?: { readonly description: string; readonly data: TSchema }
  /** Pins of the immutable form of the read, which is served at `…@<token>`. */
  readonly versioned?: VersionedRead
  /**
   * Requirement on the deployment: that it mints tokens (HS256), or supports revocation; otherwise the path returns
   * 404.
   */
  readonly needs?: 'minting' | 'revocation'
  /** Documented schemas of body and response, if they are not validated as a whole. */
  readonly reference?: { readonly body: TSchema; readonly answer: TSchema }
  /**
   * Handles a request. Declared as a method, whose parameters are bivariant, so that entries of all shapes fit into one
   * table.
   */
  handle(input: InputOf<Shape>, context: ContextOf[In]): Promise<unknown>
}

export interface VersionedRead {
  /** Pins in the token, all of which must be current (`docVersion`, `contentVersion`); a stale one returns 404. */
  readonly pins: readonly string[]
  /**
   * Returns the current pins. Those that the token does not name must be unchanged in the layer for the response to be
   * immutable.
   */
  current(
    input: { readonly params: { readonly pageKey?: string } },
    context: DocumentContext,
  ): Promise<Readonly<Record<string, number | undefined>>>
  /** True if the read is also served without the layer segment, for layers that inherit the base. */
  readonly isInherited: boolean
  /** Default: true. False if the response also depends on what no pin names. */
  isFixed?(deployment: Deployment): boolean
}

/** JSON response with a status other than 200. */
export class WithStatus {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

/** JSON response with headers of its own. */
export class WithHeaders {
  constructor(
    readonly headers: Readonly<Record<string, string>>,
    readonly body: unknown,
  ) {}
}

/** Stored JSON response of an earlier identical request. */
export class ReplayedJson {
  constructor(readonly body: unknown) {}
}

/** JSON response as serialised bytes. */
export class ReadyJson {
  constructor(
    readonly bytes: Uint8Array,
    /** Strong entity tag. */
    readonly etag: string,
  ) {}
}

/** Returns the entry unchanged, with its precise types. */
export function operation<const Shape extends OperationShape, const In extends Plane>(
  entry: Operation<Shape, In>,
): Operation<Shape, In> {
  return entry
}
