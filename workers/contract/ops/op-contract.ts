// Contract of a change op: everything that is known about it without a PDF. Routes, bodies, authority, kinds of audit
// rows, the reference, tables of the manual and tests are derived from it. The work is in the file of the same name
// in `workers/ops`.
import { type Static, type TLiteral, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { AnnotationRef } from '../annotation-ref.js'
import type { Capability } from '../capabilities.js'
import type { FormFieldRef } from '../form-field-ref.js'
import type { PageRef } from '../page-ref.js'
import { strict } from '../strict.js'
import type { Authored } from './authored.js'

/** Actions that collaboration scopes distinguish. */
export type CollabAction = 'create' | 'update' | 'delete'

/** Requirements on the caller of an op. */
export interface OpNeeds {
  /** Required capabilities, all of them. */
  readonly capabilities: readonly Capability[]
  /** Action of collaboration scopes. If the caller's scopes mention it, they decide in place of the capabilities. */
  readonly collab?: CollabAction
  /** Capabilities that are required in addition, whatever collaboration scopes decide. */
  readonly besides?: readonly Capability[]
}

/**
 * Class of the op's changes in a signed document: values and appearances of fields (permitted from DocMDP level 2),
 * annotations too (level 3), or anything else (no level permits it; ISO 32000-2, table 257).
 */
export type ProtectionClass = 'fill' | 'annotate' | 'content'

/**
 * What the stored form of the op may contain beside what the caller wrote in it, for layers that a redaction of another
 * one overtakes: nothing (`own`); files of the request, which may have been taken out of the document (`files`); values
 * that the document calculates, and such files (`values`); or content of the document itself (`document`), also where it
 * is only drawn again or moved to another object.
 */
export type ContentSource = 'own' | 'files' | 'values' | 'document'

/** Files of the request that the op reads. */
export interface OpFiles {
  /** Member of the op that maps roles to keys of files. */
  readonly member: 'resources' | 'appearance'
  /** Roles of files that are drawn into the document. */
  readonly drawn: readonly string[]
}

/** Route that applies one op as a change of its own. */
export interface OpRoute {
  /** HTTP methods. The operation of the first one is named `doc.<type>`, each further one `doc.<type>.<method>`. */
  readonly methods: readonly ('POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  /** Path below the layer; `:pageKey`, `:annotKey` and `:fieldKey` stand for the member in `named`. */
  readonly path: string
  /** Member of the op that the path contains: a page, an annotation or a field. */
  readonly named?: string
  /** Kind of the audit row and of the event. */
  readonly auditKind: string
  /** Media types of a request whose body is the lone file itself. */
  readonly fileTypes?: readonly string[]
  /** Members of the op in the query string. */
  readonly query?: TObject
  /**
   * Schema of the body. Default: the members of the op without `named` and `expect`. Null = the request has no body.
   */
  readonly body?: RouteBody | null
  readonly isBodyOptional?: true
  /** Body of a multipart request with a lone part `file`, which becomes the resource `file`. */
  readonly bodyOfLoneFile?: object
  /** Members of the item that the answer omits, because the path has them. */
  readonly omitted?: readonly string[]
}

/** Body with another shape than the members of the op. */
export interface RouteBody {
  readonly schema: TSchema
  /** Returns the members of the op for a valid body. A method, so that bodies of all shapes fit into one table. */
  members(body: unknown): object
}

/** Existing objects of the layer that an op names. Methods, so that ops of all types fit into one table. */
export interface NamedObjects<Op = unknown> {
  annotations?(op: Op): readonly AnnotationRef[]
  fields?(op: Op): readonly FormFieldRef[]
  pages?(op: Op): readonly PageRef[]
}

export interface OpContract<
  Op extends TObject = TObject,
  Item extends TObject = TObject,
  UndoItem extends TObject = TObject,
> {
  /** Type of the op, `pages.rotate`. */
  readonly type: string
  readonly summary: string
  /** Schema of the op in requests, including `type`; unknown members are refused. */
  readonly op: Op
  /** Schema of the item, including `type`. */
  readonly item: Item
  /** Schemas of further items, which only undo steps of this op return. */
  readonly undoItems?: readonly UndoItem[]
  readonly names?: NamedObjects
  /** Objects of an item whose author the server stores; also applied to items of undo steps of this type. */
  readonly authored?: Authored
  readonly needs: OpNeeds
  /** Types of further ops whose needs this op has as well. A method, so that ops of all types fit into one table. */
  needsToo?(op: unknown): readonly string[]
  readonly protection: ProtectionClass
  readonly carries: ContentSource
  /** True if the op may be part of a change of `doc.changes`; otherwise only its route applies it. */
  readonly isBatchable: boolean
  readonly files?: OpFiles
  readonly route?: OpRoute
}

type Typed<Type extends string, Members extends TProperties> = TObject<{ type: TLiteral<Type> } & Members>

type Rest = Omit<OpContract, 'type' | 'op' | 'item' | 'undoItems' | 'names' | 'authored' | 'needsToo'>

/**
 * Defines the contract of an op:
 *
 *     export const PagesRotate = opContract({
 *       type: 'pages.rotate',
 *       op: { pages: NamedPages, rotation: QuarterTurn },
 *       item: { layout: PageList, meta: MutationMeta },
 *       …
 *     })
 */
export function opContract<
  const Name extends string,
  Op extends TProperties,
  Item extends TProperties,
  UndoItem extends TObject = never,
>(
  entry: Rest & {
    readonly type: Name
    readonly op: Op
    readonly item: Item
    readonly undoItems?: readonly UndoItem[]
    readonly names?: NamedObjects<Static<Typed<Name, Op>>>
    readonly authored?: Authored<Static<Typed<Name, Item>>>
    readonly needsToo?: (op: Static<Typed<Name, Op>>) => readonly string[]
  },
): OpContract<Typed<Name, Op>, Typed<Name, Item>, UndoItem> & { readonly type: Name } {
  const type = Type.Literal(entry.type)
  return {
    ...entry,
    op: Type.Object({ type, ...entry.op }, strict),
    item: Type.Object({ type, ...entry.item }),
  }
}

/** Returns the body unchanged, so that `members` is typed by its schema. */
export const routeBody = <Schema extends TSchema>(
  schema: Schema,
  members: (body: Static<Schema>) => object,
): RouteBody => ({ schema, members })
