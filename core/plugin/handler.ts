// The contract of a handler: one resource kind on one provider. It is small because the engine does the rest:
// comparing, ordering, journaling, retrying, settling lost answers.

import type { Diagnostic } from '../diagnostic.js'
import type { Row } from '../state/row.js'
import type { JsonObject, LeafPath, Tree } from '../value/tree.js'
import type { Support } from './capability.js'
import type { Content } from './content.js'
import type { Declaration, LocalSource, Project } from './declaration.js'
import type { Kind } from './kind.js'
import type { RemoteIndex } from './remote-index.js'
import type { Outputs, Scope } from './scope.js'

/** An object as the provider's API returns it. */
export type Remote = JsonObject

export interface Handler<Client = unknown, Body = JsonObject> {
  readonly kind: string
  /** Name of the API, if a provider offers the kind in two (`managed`, `forward`). */
  readonly api?: string
  /** The kind itself, where it is this provider's own. Absent: a kind that others have too (`steward/kinds`). */
  readonly definition?: Kind
  /** Absent: the provider has the kind natively, and there is nothing to add. */
  readonly support?: Support
  /**
   * Raise it when `desired` or `observed` change shape: what was recorded before then says nothing,
   * and wanted values are compared with the observed ones alone.
   */
  readonly form: number
  readonly fields: FieldTable
  /** Member that contains `agents.project` and `agents.resource`; the engine owns those two leaves. */
  readonly mark?: string

  /** Pure. Returns the desired object, shaped like `observed`; other resources are `scope.output(…)` placeholders. */
  desired(declaration: Declaration<Body>, scope: Scope): Tree
  /** Returns outputs that must be as at the last apply although nothing of them is sent (version pins). */
  follows?(declaration: Declaration<Body>, scope: Scope): readonly string[]
  /** Pure. Returns the provider's object without what the server adds, reorders or resolves on its own. */
  observed(remote: Remote): Tree
  /** Returns `id`, and every other output that dependents may use (`version`). */
  outputs(remote: Remote): Outputs
  /** True for an archived object, a deleted one that is still listed, an expired one. */
  isGone?(remote: Remote): boolean
  /** Returns when the provider created the object, in milliseconds since 1970; older ones are no lost create. */
  createdAtMs?(remote: Remote): number | undefined

  read(call: Call<Client>, id: string): Promise<Remote>
  /** Creates the object. Throws `NotYet`, with facts, when only time or someone else can bring it about. */
  create(call: Call<Client>, request: CreateRequest): Promise<Remote>
  /** Called by plans with the facts of that `NotYet`: true while the object still cannot exist. */
  isStillToCome?(call: Call<Client>, facts: Readonly<Record<string, string>>): Promise<boolean>
  /** Updates the object. Absent: every change replaces. */
  update?(call: Call<Client>, request: UpdateRequest): Promise<Remote>
  remove(call: Call<Client>, id: string): Promise<void>
  /** Called when an unfinished create is given up: removes what it may have left besides the object, such as an upload. */
  abandon?(call: Call<Client>, create: { readonly nonce: string }): Promise<void>
  /**
   * `whole`: the results of `create` and `update` show every leaf as a read right afterwards would, so that the object
   * is read again only where a leaf differs. Absent: every object is read after it was written.
   */
  readonly answers?: 'whole'
  /** `archive` cannot be undone and leaves a trace; `forget` leaves the object (it cannot be removed). */
  readonly removal: 'delete' | 'archive' | 'forget'
  /** True if the declaration last applied requests to leave the object behind. */
  keeps?(row: Row): boolean
  /** Yields every object of this kind in the account, newest first or not, archived ones excluded. */
  list?(call: Call<Client>): AsyncIterable<Remote>
  /** True if the list shows all that `observed` reads, so that it can prove an object unchanged. */
  readonly listIsComplete?: boolean

  /** Outputs that an update changes (a replacement changes all). Dependents then follow in the same apply. */
  readonly moves?: readonly string[]
  readonly replace: 'createFirst' | 'deleteFirst'
  /**
   * Where names are unique: renames the object that is being replaced, so that its successor can have the name. Called
   * only when the create was refused for its name; may be called again for the same object.
   */
  makeWay?(call: Call<Client>, id: string): Promise<void>
  readonly lostCreate: LostCreate
  /**
   * Returns the paths of leaves that identify the object, whatever its name (an id of the product's own). A resource
   * that was renamed in agents.yaml and has the same values there retains its object.
   */
  identifiedBy?(desired: Tree): readonly LeafPath[]
  /** How to wait for objects that the provider checks after accepting them. */
  readonly ready?: Readiness
  /** Lists objects of others (sessions) that block a removal, to be shown and to be ended by `--cascade`. */
  blockers?(call: Call<Client>, id: string): Promise<readonly Blocker<Client>[]>
  readonly parts?: Parts<Client, Body>
  /** True if the provider has no object for the kind: apply only writes the row. */
  readonly isStateOnly?: true
  /**
   * Returns resources that follow from a declaration without one of their own (an upload that a deployment names by
   * path). The declaration reaches their outputs through `scope.output(kind, name)`.
   */
  derive?(declaration: Declaration<Body>, scope: Scope): readonly DerivedResource[]
  /**
   * Called before the first effect of a destroy, to read what must be known before other resources are gone. Returns
   * the row to store; a failure aborts the destroy before anything is removed.
   */
  preflight?(call: Call<Client>, row: Row): Promise<Row>
  /** Returns the object's name at the provider; `sync` derives a logical name from it if there is no mark. */
  name?(remote: Remote): string | undefined
  /**
   * True if that name is the logical name itself, because no field of the declaration contains another: it is used
   * letter by letter.
   */
  readonly isNamedByKey?: true
  /**
   * Downloads the content of an object as it was uploaded, for kinds whose declarations name a folder of it: `sync` and
   * `import` write it beside agents.yaml. Throws `ContentRefused` for content that cannot be what was uploaded.
   */
  download?(call: Call<Client>, remote: Remote): Promise<Content>
  /**
   * True if the object may have been uploaded from this content, judged by what the provider shows and no leaf
   * contains. For content that cannot be downloaded again: sync recognises an object of ours that state does not know.
   */
  resembles?(remote: Remote, content: SourceContent): boolean
  /**
   * Reverse mapping for `sync` and `import`: returns the body to write into agents.yaml, with remote ids turned into
   * logical names by the index. It leaves out defaults, marks and `provider`. Undefined if no declaration can describe
   * the object; the index takes the reason (`return index.cannotSay('it has no instructions')`).
   */
  declare?(object: ListedObject, index: RemoteIndex): JsonObject | undefined
}

/** How to find out, after a crash or a lost answer, whether a create took effect. */
export type LostCreate =
  /** Repeat it with the same idempotency key: the provider answers with the same object. The best, where an API has it. */
  | { readonly by: 'key' }
  /**
   * Look for an object with our mark, not archived, in no row of state, created since the create was journaled. Needs
   * `list` and `mark`. For APIs without idempotency keys whose objects have metadata.
   */
  | { readonly by: 'mark' }
  /** Likewise for an object that `matches`, where there is no metadata for a mark. Needs `list`. */
  | { readonly by: 'match'; matches(remote: Remote, desired: Tree): boolean }
  /**
   * Look for an object that shows every leaf as it was wanted, in no row of state, created in the same minute. Needs `list`
   * and `createdAtMs`; `digest` is the leaf with the digest of what `download` gives, where leaves alone show too little.
   */
  | { readonly by: 'content'; readonly digest?: LeafPath }
  /**
   * Create it again. Unless a repetition leaves one object (`isIdempotent`), a copy may exist that nobody can find, and
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

/**
 * Fields by pattern of leaf path; a field covers the leaf and everything below it. `*` stands for one key; the longest
 * match wins.
 */
export type FieldTable = Readonly<Record<string, Field>>

export interface Field {
  /** Name of the leaf in agents.yaml if the API has another one (`instructions` for `system`). */
  readonly label?: string
  /** The value is shown as `(sensitive)` and stored only as a keyed hash. */
  readonly secret?: true
  /** A change replaces the object. */
  readonly immutable?: true
  /** The array is compared as a set. */
  readonly unordered?: true
  /** The provider never returns the leaf; only changes of the declaration are seen. */
  readonly writeOnly?: true
  /** The leaf is only compared, and `patchBody` never sends it (a digest of uploaded bytes). */
  readonly local?: true
  /** The provider normalises the value: one that differs after a write was accepted all the same. */
  readonly normalised?: true
  /** The provider shows only the lower-case hex SHA-256 of the text; `observed` contains that digest. */
  readonly digest?: true
  /**
   * Whose keys the map contains. `declared`: keys that nobody declared belong to others and stay; a key that is no
   * longer declared is removed. `whileDeclared`: a key that is no longer declared stays too. Default `all`.
   */
  readonly owner?: 'all' | 'declared' | 'whileDeclared'
  /**
   * How an update writes this map; only the first key of a path counts. `replace`, the default: the whole map is sent.
   * `patchNull` and `patchEmpty`: changed keys are sent, removed ones as null or ''. `readMerge`: the map as it was read,
   * with the changes in it.
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
   * Reports something that is not a failure but that people should know (the provider ignores a part of the
   * declaration).
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
  /** Desired tree, all placeholders expanded, marks included, parts left out. */
  readonly desired: Tree
  readonly sources: ReadonlyMap<string, LocalSource>
  /** Idempotency key, the same at every repetition of this create. */
  readonly nonce: string
}

export interface UpdateRequest {
  readonly id: string
  /** Desired tree, all placeholders expanded, marks included, parts left out. */
  readonly desired: Tree
  /** The object as just read. */
  readonly observed: Tree
  readonly remote: Remote
  readonly changes: readonly LeafChange[]
  readonly sources: ReadonlyMap<string, LocalSource>
}

/** Keyed inner objects with ids of their own: credentials of a vault, entries of a memory store. */
export interface Parts<Client, Body> {
  /** Branch of the tree that contains the parts, `credentials`. */
  readonly name: string
  /**
   * `once`: parts are written only into an object just created. `upsert`: never removed. `own`: ours are removed with
   * the declaration.
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
  /** True if parts outlive their removed parent, so that the engine removes ours first. */
  readonly surviveParent?: true
}

export interface PartUpdate {
  readonly key: string
  readonly id: string
  readonly desired: Tree
  readonly observed: Tree
  readonly changes: readonly LeafChange[]
}

/** A resource without a declaration of its own. Its sources are those of the declaration that it follows from. */
export interface DerivedResource {
  readonly kind: string
  /** Unique within the kind; by convention `<name of the declaration>~<what it is>`. */
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

export type { Project }
