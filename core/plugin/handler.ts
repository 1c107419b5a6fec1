// The contract of a handler: one resource kind on one provider. It is small because the engine does the rest:
// comparing, ordering, journaling, retrying, settling lost answers.

import type { Diagnostic } from '../diagnostic.js'
import type { Row } from '../state/row.js'
import type { JsonObject, LeafPath, Tree } from '../value/tree.js'
import type { Support } from './capability.js'
import type { Content } from './content.js'
import type { Declaration, LocalSource, Project } from './declaration.js'
import type { RemoteIndex } from './remote-index.js'
import type { Outputs, Scope } from './scope.js'

/** A provider's own representation of an object, as its API answered it. */
export type Remote = JsonObject

export interface Handler<Client = unknown, Body = JsonObject> {
  readonly kind: string
  /** The API, if a provider offers the kind in two (`managed`, `forward`). */
  readonly api?: string
  /** Absent: the provider has the kind natively, and there is nothing to add. */
  readonly support?: Support
  /** Raise it when `desired` or `observed` change shape: older hashes are then compared two-way only. */
  readonly form: number
  readonly fields: FieldTable
  /** The member that carries `agents.project` and `agents.resource`; the engine owns those two leaves. */
  readonly mark?: string

  /** Pure. The wanted object in the shape of `observed`; other resources appear as `scope.output(…)` placeholders. */
  desired(declaration: Declaration<Body>, scope: Scope): Tree
  /** Outputs of others that must be as they were at the last apply although nothing of them is sent (version pins). */
  follows?(declaration: Declaration<Body>, scope: Scope): readonly string[]
  /** Pure. What the provider holds, without what the server adds, reorders or resolves on its own. */
  observed(remote: Remote): Tree
  /** `id`, and whatever else dependents may ask for (`version`). */
  outputs(remote: Remote): Outputs
  /** Archived, deleted but still listed, expired. */
  isGone?(remote: Remote): boolean
  /**
   * Returns when the provider created the object, in milliseconds since 1970; tells a lost create from older objects.
   */
  createdAtMs?(remote: Remote): number | undefined

  read(call: Call<Client>, id: string): Promise<Remote>
  /** Throws `NotYet`, with facts, when only time or someone else can bring the object about. */
  create(call: Call<Client>, request: CreateRequest): Promise<Remote>
  /** Asked by plans with the facts of that `NotYet`: true while the object still cannot exist. */
  isStillToCome?(call: Call<Client>, facts: Readonly<Record<string, string>>): Promise<boolean>
  /** Absent: every change replaces. */
  update?(call: Call<Client>, request: UpdateRequest): Promise<Remote>
  remove(call: Call<Client>, id: string): Promise<void>
  /** Removes what a create that is not gone on with may have left besides the object: an upload it was to be made of. */
  abandon?(call: Call<Client>, create: { readonly nonce: string }): Promise<void>
  /**
   * `whole`: what `create` and `update` return shows every leaf as a read right afterwards would, so that the object is
   * read again only where a leaf differs. Absent: every object is read after it was written.
   */
  readonly answers?: 'whole'
  /** `archive` cannot be undone and leaves a trace; `forget` leaves the object (it cannot be removed). */
  readonly removal: 'delete' | 'archive' | 'forget'
  /** The object is left behind although it could be removed, because the declaration last applied said so. */
  keeps?(row: Row): boolean
  /** Every object the account has of this kind, newest first or not, archived ones left out. */
  list?(call: Call<Client>): AsyncIterable<Remote>
  /** The list shows all that `observed` looks at, so that it may answer "unchanged". */
  readonly listIsComplete?: boolean

  /** Outputs that an update moves (a replacement moves all). Dependents then follow in the same apply. */
  readonly moves?: readonly string[]
  readonly replace: 'createFirst' | 'deleteFirst'
  /**
   * Where names are unique: gives the object that is being replaced another name, so that its successor can have this
   * one. Asked only when the create was refused for its name; may be asked again for the same object.
   */
  makeWay?(call: Call<Client>, id: string): Promise<void>
  readonly lostCreate: LostCreate
  /**
   * Paths of the leaves that tell the object, whatever it is called (an id of the product's own). A resource that was
   * renamed in agents.yaml and has the same values there keeps its object.
   */
  identifiedBy?(desired: Tree): readonly LeafPath[]
  /** Readiness of objects that the provider checks after accepting them. */
  readonly ready?: Readiness
  /** Lists what blocks a removal and belongs to others (sessions), for people to see and for `--cascade` to end. */
  blockers?(call: Call<Client>, id: string): Promise<readonly Blocker<Client>[]>
  readonly parts?: Parts<Client, Body>
  /** The provider has no object for it: apply only keeps the row. */
  readonly isStateOnly?: true
  /**
   * Resources that follow from a declaration without one of their own (an upload a deployment names by path). The
   * declaration reaches their outputs through `scope.output(kind, name)`.
   */
  derive?(declaration: Declaration<Body>, scope: Scope): readonly DerivedResource[]
  /**
   * Asked before the first effect of a destroy: whatever must be known before other resources are gone. Answers the
   * row to keep; a failure aborts the destroy before anything is removed.
   */
  preflight?(call: Call<Client>, row: Row): Promise<Row>
  /** Returns the object's name at the provider; `sync` derives a logical name from it if there is no mark. */
  name?(remote: Remote): string | undefined
  /** That name is the logical name itself, because no field of the declaration says another: kept letter by letter. */
  readonly isNamedByKey?: true
  /**
   * The content of an object as it was uploaded, for kinds whose declarations name a folder of it: `sync` and `import`
   * write it beside agents.yaml. Throws `ContentRefused` for what cannot be what was uploaded.
   */
  download?(call: Call<Client>, remote: Remote): Promise<Content>
  /**
   * True if the object may have been uploaded from this content, by all that the provider shows of what no leaf shows.
   * For content that cannot be downloaded again: sync knows an object of ours by it that state does not know.
   */
  resembles?(remote: Remote, content: SourceContent): boolean
  /**
   * Reverse mapping for `sync` and `import`: the body to write into agents.yaml, with remote ids turned into logical
   * names by the index. Leaves out what equals a default, marks, and `provider`. Undefined: it cannot be said; the
   * index takes the reason (`return index.cannotSay('it has no instructions')`).
   */
  declare?(object: ListedObject, index: RemoteIndex): JsonObject | undefined
}

/** How to find out, after a crash or a lost answer, whether a create took effect. */
export type LostCreate =
  /** Repeat it with the same idempotency key: the provider answers with the same object. */
  | { readonly by: 'key' }
  /** Look for an object with our mark, unarchived, bound nowhere, created since. Needs `list` and `mark`. */
  | { readonly by: 'mark' }
  /** Look for an object equal in everything `matches` looks at, bound nowhere, created since. Needs `list`. */
  | { readonly by: 'match'; matches(remote: Remote, desired: Tree): boolean }
  /**
   * Look for an object that shows every leaf as it was wanted, bound nowhere, created in the same minute. Needs `list`
   * and `createdAtMs`; `digest` is the leaf with the digest of what `download` gives, where leaves alone show too little.
   */
  | { readonly by: 'content'; readonly digest?: LeafPath }
  /**
   * Just create again. Unless a repetition leaves one object (`isIdempotent`), a copy may exist that nobody can find,
   * and people are told so.
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

/** Leaf path patterns to what is true of the leaves there and below. `*` stands for one key; the longest match wins. */
export type FieldTable = Readonly<Record<string, Field>>

export interface Field {
  /** Name of the leaf in agents.yaml if the API has another one (`instructions` for `system`). */
  readonly label?: string
  /** Shown as `(sensitive)`, stored only as a keyed hash. */
  readonly secret?: true
  /** A change replaces the object. */
  readonly immutable?: true
  /** An array compared as a set. */
  readonly unordered?: true
  /** The provider never returns the leaf; only changes of intent are seen. */
  readonly writeOnly?: true
  /** The leaf is only compared, and `patchBody` never sends it (a digest of uploaded bytes). */
  readonly local?: true
  /** The provider writes the value its own way: one that differs after a write was taken all the same. */
  readonly normalised?: true
  /** Text that the provider shows only the lower-case hex SHA-256 of; `observed` holds that digest. */
  readonly digest?: true
  /**
   * `declared`: keys that nobody declared are someone else's and are left alone; one that is not declared any more is
   * taken away. `whileDeclared`: one that is not declared any more is left alone too. Default `all`.
   */
  readonly owner?: 'all' | 'declared' | 'whileDeclared'
  /** How an update of this map is written; only the first key of a path is looked at. Default `replace`. */
  readonly map?: 'patchNull' | 'patchEmpty' | 'replace' | 'readMerge'
  /** Value sent to remove the leaf. Default: the member is left out. */
  readonly clear?: null | '' | readonly [] | Readonly<Record<string, never>>
}

export interface Call<Client> {
  readonly client: Client
  /** Aborts at the deadline of the change and when the user insists on stopping. */
  readonly signal: AbortSignal
  /** The bytes of a local source, read now and checked against the digest that was planned. */
  content(source: LocalSource): Promise<SourceContent>
  /** Something a person should know that is not a failure (the provider drops a part of the declaration). */
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
  /** All placeholders expanded, marks included, parts left out. */
  readonly desired: Tree
  readonly sources: ReadonlyMap<string, LocalSource>
  /** The same at every repetition of this create. */
  readonly nonce: string
}

export interface UpdateRequest {
  readonly id: string
  /** All placeholders expanded, marks included, parts left out. */
  readonly desired: Tree
  /** The object as just read. */
  readonly observed: Tree
  readonly remote: Remote
  readonly changes: readonly LeafChange[]
  readonly sources: ReadonlyMap<string, LocalSource>
}

/** Keyed inner objects with ids of their own: credentials of a vault, entries of a memory store. */
export interface Parts<Client, Body> {
  /** Branch under which their leaves stand, `credentials`. */
  readonly name: string
  /** `once`: only into an object just created. `upsert`: never removed. `own`: ours are removed with the declaration. */
  policy(declaration: Declaration<Body>): 'once' | 'upsert' | 'own'
  /** Patterns relative to one part. */
  readonly fields: FieldTable
  /** Parts by a key that identifies a part within its parent and never changes. */
  desired(declaration: Declaration<Body>, scope: Scope): Readonly<Record<string, Tree>>
  list(call: Call<Client>, parentId: string): AsyncIterable<Remote>
  key(remote: Remote): string
  id(remote: Remote): string
  observed(remote: Remote): Tree
  isGone?(remote: Remote): boolean
  create(call: Call<Client>, parentId: string, part: { readonly key: string; readonly desired: Tree }): Promise<Remote>
  /** Absent: a changed part is removed and created again. */
  update?(call: Call<Client>, parentId: string, part: PartUpdate): Promise<Remote>
  remove(call: Call<Client>, parentId: string, id: string): Promise<void>
  /** Removing the parent leaves them behind, so the engine removes ours first. */
  readonly surviveParent?: true
}

export interface PartUpdate {
  readonly key: string
  readonly id: string
  readonly desired: Tree
  readonly observed: Tree
  readonly changes: readonly LeafChange[]
}

/** A resource without a declaration of its own. Its sources are those of the declaration it follows from. */
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

/** Lets handlers with different bodies be one list; the engine calls each with bodies of its kind only. */
export function handler<Client, Body>(typed: Handler<Client, Body>): Handler<Client> {
  return typed as unknown as Handler<Client>
}

export type { Project }
