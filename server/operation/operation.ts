// One entry per operation of the wire contract: method, path, schemas, authority, handler. Routes, authority checks,
// OpenAPI and the trait tests are all read from these entries.
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Capability } from '../../workers/contract/capabilities.js'
import type { CollabAction } from '../../workers/contract/ops/op-contract.js'
import type { Caller } from '../auth/caller.js'
import type { TenantScope } from '../auth/tenant-scopes.js'
import type { DocumentRow } from '../rows/document.js'
import type { LayerRow } from '../rows/layer.js'
import type { TenantRow } from '../rows/tenant.js'
import type { Deployment } from './deployment.js'

/** Which envelope errors come in, and whose subtree the path is. */
export type Plane = 'deployment' | 'tenant' | 'document'

/** Who may call. The API token may call everything but what needs no credential at all. */
export type Authority =
  | { readonly kind: 'none' }
  | { readonly kind: 'api-token' }
  /** A tenant token of the path's tenant that holds one of the scopes. */
  | { readonly kind: 'tenant'; readonly scopes: readonly TenantScope[] }
  /**
   * A document token of the path's document (and layer) that holds every one of the capabilities; or, in their place, a
   * collaboration scope that speaks of the action, which is then judged by the annotation it is about.
   */
  | {
      readonly kind: 'document'
      readonly capabilities: readonly Capability[]
      readonly orCollab?: CollabAction
    }

export interface InternalRow<Row> {
  /** The random id everything of it is stored under. */
  readonly internal: string
  readonly row: Row
}

/** What every handler gets beside its input. Tenant, document and layer are there when the path names them. */
export interface Context {
  readonly deployment: Deployment
  readonly caller: Caller
  readonly log: FastifyBaseLogger
  /** Aborted when the client has gone; made when it is first asked for, because most requests wait for nothing. */
  readonly signal: () => AbortSignal
  readonly requestId: string
  /** Of the client, for rate limits. */
  readonly address: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Parts of a multipart body, in order; each must be read or drained before the next. Only where the entry has `files`. */
  readonly parts: () => AsyncIterable<BodyPart>
  /** Files that came beside the body, by key; they go when the request was answered. Only where the entry has `resources`. */
  readonly resources: () => Resources
}

export type Resources = Readonly<Record<string, ReceivedFile>>

/** A file of the request, in the staging. */
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

export interface TenantContext extends Context {
  readonly tenant: InternalRow<TenantRow>
}

export interface DocumentContext extends TenantContext {
  readonly document: InternalRow<DocumentRow>
  /** `default` where the path names none. */
  readonly layerName: string
  /** From the same moment as the document; undefined = nobody edited the layer. */
  readonly layer: LayerRow | undefined
  /** Decoded; only ever from the API token. */
  readonly password: Uint8Array | undefined
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

/** Bytes instead of JSON. */
export interface BytesAnswer {
  readonly contentType: string
  readonly body: Readable | Uint8Array
  readonly status?: 200 | 206
  readonly headers?: Readonly<Record<string, string>>
}

export interface OperationShape {
  readonly params?: TSchema
  readonly query?: TSchema
  /** `additionalProperties: false` = strict (unknown members are refused); otherwise unknown members are dropped. */
  readonly body?: TSchema
}

type StaticOr<Schema, Otherwise> = Schema extends TSchema ? Static<Schema> : Otherwise

type InputOf<Shape extends OperationShape> = Input<
  StaticOr<Shape['params'], Record<never, never>>,
  StaticOr<Shape['query'], Record<never, never>>,
  StaticOr<Shape['body'], undefined>
>

export interface Operation<Shape extends OperationShape = OperationShape, In extends Plane = Plane> {
  /** As clients name it: `documents.init`. Unique. */
  readonly name: string
  readonly summary: string
  readonly plane: In
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** fastify's notation: `/v1/tenants/:tenantId/documents/:id`. */
  readonly path: string
  readonly authority: Authority
  readonly input: Shape
  /** A schema = JSON; `none` = 204; a list of media types = bytes. */
  readonly answer: TSchema | 'none' | readonly string[]
  /** Further statuses with JSON, `202` of an import for example. */
  readonly answers?: Readonly<Record<number, TSchema>>
  /** The body may be left out, or be empty. */
  readonly isBodyOptional?: boolean
  /** The body is multipart with file parts of these names; the handler reads them with `context.parts()`. */
  readonly files?: readonly string[]
  /**
   * Files may come with the body: then it is multipart, with the JSON as the part `body` and each file as `resource:<key>`.
   * The handler gets the checked `body` either way, and the files from `context.resources()`.
   */
  readonly resources?: true
  /** The body of a multipart request with one part `file` and nothing else, which is the resource `file` then. */
  readonly bodyOfLoneFile?: object
  /** One change of a layer: takes an `Idempotency-Key`, which is the opId of the change (see `writeOne`). */
  readonly isChange?: true
  /** The address itself names an immutable thing (a version by its hash), so the answer may be kept for ever. */
  readonly isImmutable?: boolean
  /** The answer goes on until its reader leaves, so there is no HEAD for it. */
  readonly isEndless?: boolean
  /** Answers also while an encrypted document is locked, to credentials that cannot send its password. */
  readonly answersLocked?: boolean
  /** What the reference says of a stream of server-sent events: what each is for, and the JSON in its `data`. */
  readonly events?: { readonly description: string; readonly data: TSchema }
  /** Also served as `…@<token>`: an immutable read of exactly these versions. */
  readonly versioned?: VersionedRead
  /** Only where the deployment can mint tokens (HS256), or lets them be revoked; elsewhere the path answers 404. */
  readonly needs?: 'minting' | 'revocation'
  /** What the reference says of body and answer, where these are checked piece by piece and not by their schema. */
  readonly reference?: { readonly body: TSchema; readonly answer: TSchema }
  /** Written as methods, so that entries of all shapes fit into one table. */
  handle(input: InputOf<Shape>, context: ContextOf[In]): Promise<unknown>
}

export interface VersionedRead {
  /** Members of the token, all of which must be current (`docVersion`, `contentVersion`); a stale one answers 404. */
  readonly pins: readonly string[]
  current(
    input: { readonly params: { readonly pageKey?: string } },
    context: DocumentContext,
  ): Promise<Readonly<Record<string, number | undefined>>>
  /** Also without the layer segment, for layers that inherit the base. */
  readonly isInherited: boolean
}

/** Answers JSON with another status than 200; what a handler returns plainly is 200 (or 204 where there is nothing). */
export class WithStatus {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

/** JSON that the same request was answered with before. */
export class Replayed {
  constructor(readonly body: unknown) {}
}

/** JSON that is bytes already, because it was kept as such. */
export class ReadyJson {
  constructor(
    readonly bytes: Uint8Array,
    /** Names exactly these bytes. */
    readonly etag: string,
  ) {}
}

/** Keeps the types of an entry while it joins the table. */
export function operation<const Shape extends OperationShape, const In extends Plane>(
  entry: Operation<Shape, In>,
): Operation<Shape, In> {
  return entry
}
