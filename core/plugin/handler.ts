// The contract of a handler: one resource kind on one provider. It is small because the engine does the rest:
// comparing, ordering, journaling, retrying, and resolving lost answers.

import type { Diagnostic } from '../diagnostic.js'
import type { Row } from '../state/row.js'
import type { JsonObject, LeafPath, Tree } from '../value/tree.js'
import type { Support } from './capability.js'
import type { Content } from './content.js'
import type { Declaration, LocalSource } from './declaration.js'
import type { Kind } from './kind.js'
import type { RemoteIndex } from './remote-index.js'
import type { Outputs, Scope } from './scope.js'
import type { WireForm } from './wire-form.js'

/** An object as the provider's API returns it. */
export type Remote = JsonObject

export interface Handler<Client = unknown, Body = JsonObject> extends WireForm {
  readonly kind: string
  /** Name of the API, if a provider offers the kind in two (`managed`, `forward`). */
  readonly api?: string
  /** Definition of the kind, if only this provider has it. Absent for kinds that others have too (`steward/kinds`). */
  readonly definition?: Kind
  /** Support of the kind. Absent: the provider supports all of it natively. */
  readonly support?: Support
  /**
   * Version of the shape of `desired` and `observed`. Increase it when that shape changes: recorded hashes of an older
   * version are then ignored, and desired values are compared with the observed ones only.
   */
  readonly form: number
  readonly fields: FieldTable
  /** Member that contains the ownership mark: `agents.project` and `agents.resource`, leaves of the engine. */
  readonly mark?: string

  /** Returns the desired object, in the shape of `observed`; outputs of others are `scope.output(…)`. Pure. */
  desired(declaration: Declaration<Body>, scope: Scope): Tree
  /** Returns outputs of other resources that must be as at the last apply although they are not sent (version pins). */
  follows?(declaration: Declaration<Body>, scope: Scope): readonly string[]
  /** Returns the provider's object without anything that the server adds, reorders or resolves itself. Pure. */
  observed(remote: Remote): Tree
  /** Returns `id`, and every other output that dependents may use (`version`). */
  outputs(remote: Remote): Outputs
  /** True for an object that counts as removed: archived, expired, or deleted but still listed. */
  isGone?(remote: Remote): boolean
  /** True if the object exists and does nothing until somebody resumes it: a paused schedule. */
  isPaused?(remote: Remote): boolean
  /** Returns the creation time in milliseconds since 1970. A lost create cannot have made an older object. */
  createdAtMs?(remote: Remote): number | undefined

  read(call: Call<Client>, id: string): Promise<Remote>
  /** Creates the object. Throws `NotYet` with facts if it cannot exist before something else has happened. */
  create(call: Call<Client>, request: CreateRequest): Promise<Remote>
  /** Called while planning with the facts of that `NotYet`. Returns true while the object still cannot exist. */
  isStillToCome?(call: Call<Client>, facts: Readonly<Record<string, string>>): Promise<boolean>
  /** Updates the object. Absent: every change replaces the object. */
  update?(call: Call<Client>, request: UpdateRequest): Promise<Remote>
  remove(call: Call<Client>, id: string): Promise<void>
  /** Called when an unfinished create is abandoned. Removes what it may have left, such as an upload. */
  abandon?(call: Call<Client>, create: { readonly nonce: string }): Promise<void>
  /**
   * Completeness of answers. `whole`: the results of `create` and `update` show every leaf as a read right afterwards
   * would, so that the object is read again only if a leaf differs. Absent: every object is read after a write.
   */
  readonly answers?: 'whole'
  /** Way of removal. `archive` cannot be undone; `forget` leaves the object, because it cannot be removed. */
  readonly removal: 'delete' | 'archive' | 'forget'
  /** True if the declaration last applied requests to leave the object behind. */
  keeps?(row: Row): boolean
  /** Yields every object of this kind in the account, in any order, without archived ones. */
  list?(call: Call<Client>): AsyncIterable<Remote>
  /** True if lists contain all that `observed` reads, so that they can prove an object unchanged. */
  readonly listIsComplete?: boolean

  /** Outputs that an update changes; a replacement changes all. Dependents are then updated in the same apply. */
  readonly moves?: readonly string[]
  readonly replace: 'createFirst' | 'deleteFirst'
  /**
   * Renames the object that is being replaced, so that its successor can have the name; for kinds whose names are
   * unique. It is called only if the create was refused for its name, perhaps several times for one object.
   */
  makeWay?(call: Call<Client>, id: string): Promise<void>
  readonly lostCreate: LostCreate
  /**
   * Returns the paths of leaves that identify the object besides its name (an id that the product chose). If a resource
   * is renamed in agents.yaml and these leaves are the same, it keeps its object.
   */
  identifiedBy?(desired: Tree): readonly LeafPath[]
  /** Readiness check, for objects that the provider checks after accepting them. */
  readonly ready?: Readiness
  /** Lists objects of others (sessions) that block a removal: they are shown, and ended with `--cascade`. */
  blockers?(call: Call<Client>, id: string): Promise<readonly Blocker<Client>[]>
  readonly parts?: Parts<Client, Body>
  /** True if the provider has no such objects: an apply only writes the row. */
  readonly isStateOnly?: true
  /**
   * Returns resources that follow from a declaration without having one (an upload that a deployment names by path).
   * The declaration refers to their outputs by `scope.output(kind, name)`.
   */
  derive?(declaration: Declaration<Body>, scope: Scope): readonly DerivedResource[]
  /**
   * Called before the first effect of a destroy, to read facts that are no longer available once other resources are
   * gone. Returns the row to store. A failure stops the destroy before anything is removed.
   */
  preflight?(call: Call<Client>, row: Row): Promise<Row>
  /** Returns the object's name at the provider; `sync` derives a logical name from it if there is no mark. */
  name?(remote: Remote): string | undefined
  /** True if the logical name is that name as it is, where it is free, instead of one made of its letters. */
  readonly isNamedByKey?: true
  /**
   * Downloads the content of an object as it was uploaded, for kinds whose declarations name a folder; `sync` and
   * `import` write it beside agents.yaml. Throws `ContentRefused` for content that cannot have been uploaded.
   */
  download?(call: Call<Client>, remote: Remote): Promise<Content>
  /**
   * True if the object may have been uploaded from this content, judged by members that no leaf contains. For content
   * that cannot be downloaded: sync recognises objects of ours that state does not contain by it.
   */
  resembles?(remote: Remote, content: SourceContent): boolean
  /**
   * Returns the body to write into agents.yaml, for `sync` and `import`: remote ids become logical names by the index;
   * defaults, marks and `provider` are left out. Returns undefined if no declaration can describe the object, and
   * passes the reason to the index (`return index.cannotSay('it has no instructions')`).
   */
  declare?(object: ListedObject, index: RemoteIndex): JsonObject | undefined
}

/** Way to find out, after a crash or a lost answer, whether a create took effect. */
export type LostCreate =
  /** The create is repeated with the same idempotency key, and returns the same object: the best way, if supported. */
  | { readonly by: 'key' }
  /**
   * The engine searches for an object with our mark, not archived, in no row of state, created since the create was
   * journaled. Needs `list` and `mark`. For APIs without idempotency keys whose objects have metadata.
   */
  | { readonly by: 'mark' }
  /** The engine searches for an object that `matches`, because objects have no metadata for a mark. Needs `list`. */
  | { readonly by: 'match'; matches(remote: Remote, desired: Tree): boolean }
  /**
   * The engine searches for an object that shows every leaf as desired, in no row of state, created in the same minute.
   * Needs `list` and `createdAtMs`. `digest`: the leaf with the digest of what `download` returns, if the other leaves
   * alone prove too little.
   */
  | { readonly by: 'content'; readonly digest?: LeafPath }
  /**
   * The create is repeated. Unless that leaves one object (`isIdempotent`), a copy may exist that cannot be found, and
   * a warning reports it.
   */
  | { readonly by: 'repeat'; readonly isIdempotent?: true }

export interface Readiness {
  state(remote: Remote): 'ready' | 'pending' | { readonly failed: string }
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  readonly timeoutMs: number
}

export interface Blocker<Client> {
  /** Text for people: `session sesn_01 (running)`. */
  readonly label: string
  end(call: Call<Client>): Promise<void>
}

/** Fields by pattern of leaf path, for it and all below it. `*` stands for one key; the longest match wins. */
export type FieldTable = Readonly<Record<string, Field>>

export interface Field {
  /** Name of the leaf in agents.yaml if the API has another one (`instructions` for `system`). */
  readonly label?: string
  /** True if the value is shown as `(sensitive)` and stored only as a keyed hash. */
  readonly secret?: true
  /** True if a change replaces the object. */
  readonly immutable?: true
  /** True if the array is compared as a set. */
  readonly unordered?: true
  /** True if the provider never returns the leaf, so that only changes of the declaration are detected. */
  readonly writeOnly?: true
  /** True if the leaf is only compared, and `patchBody` never sends it (a digest of uploaded bytes). */
  readonly local?: true
  /** True if the provider normalises the value, so that a value that differs after a write counts as accepted. */
  readonly normalised?: true
  /** True if the provider returns only the SHA-256 of the text, in lower-case hex; `observed` contains that digest. */
  readonly digest?: true
  /**
   * Owner of the keys of the map; default `all`, which means this project. `declared`: keys that nobody declared belong
   * to others and stay; a key that is no longer declared is removed. `whileDeclared`: a key that is no longer declared
   * stays too.
   */
  readonly owner?: 'all' | 'declared' | 'whileDeclared'
  /** Value that the provider gives a leaf that nobody set. The plan does not name the loss of it. */
  readonly usual?: string | boolean
  /**
   * Way in which an update writes this map; only the first key of a path counts. `replace`, the default: the whole map
   * is sent. `patchNull` and `patchEmpty`: changed keys are sent, removed ones as null or ''. `readMerge`: the map is
   * sent as it was read, with the changes in it.
   */
  readonly map?: 'patchNull' | 'patchEmpty' | 'replace' | 'readMerge'
  /** Value sent to remove the leaf. Default: the member is left out. */
  readonly clear?: null | '' | readonly [] | Readonly<Record<string, never>>
}

export interface Call<Client> {
  readonly client: Client
  /** Aborts at the deadline of the change and at the second Ctrl-C. */
  readonly signal: AbortSignal
  /** Reads the bytes of a local source now and checks them against the planned digest. */
  content(source: LocalSource): Promise<SourceContent>
  /**
   * Reports something that is no failure but that people should know (the provider ignores a part of the declaration).
   */
  report(diagnostic: Diagnostic): void
}

export interface SourceContent {
  readonly baseName: string
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[]
}

export interface LeafChange {
  readonly path: LeafPath
  readonly before: JsonObject[string]
  readonly after: JsonObject[string]
}

export interface CreateRequest {
  /** Desired tree with expanded placeholders and marks, without parts. */
  readonly desired: Tree
  readonly sources: ReadonlyMap<string, LocalSource>
  /** Idempotency key, the same in every repetition of this create. */
  readonly nonce: string
}

export interface UpdateRequest {
  readonly id: string
  /** Desired tree with expanded placeholders and marks, without parts. */
  readonly desired: Tree
  /** Object as it was just read. */
  readonly observed: Tree
  readonly remote: Remote
  readonly changes: readonly LeafChange[]
  readonly sources: ReadonlyMap<string, LocalSource>
}

/** Inner objects with keys and ids: credentials of a vault, entries of a memory store. */
export interface Parts<Client, Body> extends WireForm {
  /** Branch of the tree that contains the parts, `credentials`. */
  readonly name: string
  /**
   * Ownership of parts. `once`: they are written only into a new object. `upsert`: they are written and never removed.
   * `own`: our parts are removed with their declaration.
   */
  policy(declaration: Declaration<Body>): 'once' | 'upsert' | 'own'
  /** Fields of a part; patterns are relative to one part. */
  readonly fields: FieldTable
  /** Returns the desired parts by a key that identifies a part inside its parent and never changes. */
  desired(declaration: Declaration<Body>, scope: Scope): Readonly<Record<string, Tree>>
  list(call: Call<Client>, parentId: string): AsyncIterable<Remote>
  key(remote: Remote): string
  id(remote: Remote): string
  observed(remote: Remote): Tree
  isGone?(remote: Remote): boolean
  create(call: Call<Client>, parentId: string, part: { readonly key: string; readonly desired: Tree }): Promise<Remote>
  /** Updates a part. Absent: a changed part is removed and created again. */
  update?(call: Call<Client>, parentId: string, part: PartUpdate): Promise<Remote>
  remove(call: Call<Client>, parentId: string, id: string): Promise<void>
  /** True if parts remain after their parent was removed, so that the engine removes ours first. */
  readonly surviveParent?: true
}

export interface PartUpdate {
  readonly key: string
  readonly id: string
  readonly desired: Tree
  readonly observed: Tree
  readonly remote: Remote
  readonly changes: readonly LeafChange[]
}

/** A resource that follows from the declaration of another one, whose sources it uses. */
export interface DerivedResource {
  readonly kind: string
  /** Name, unique within the kind; by convention `<name of the declaration>~<what it is>`. */
  readonly name: string
  readonly body: JsonObject
  /** Resources that must be gone before this one is removed, although it uses their outputs. */
  readonly removeAfter?: readonly { readonly kind: string; readonly name: string }[]
}

/** A remote object with its parts by key, as `sync` reads it. */
export interface ListedObject {
  readonly id: string
  readonly remote: Remote
  readonly parts: ReadonlyMap<string, Remote>
}

/** Allows handlers with different types of bodies in one list; the engine calls each only with bodies of its kind. */
export function handler<Client, Body>(typed: Handler<Client, Body>): Handler<Client> {
  return typed as unknown as Handler<Client>
}
