// Contract of an annotation subtype: everything that is known about it without a PDF. The union of annotations,
// drafts, patches, the checks of members, the reference and tests are derived from it. How it is read, written and
// drawn is in the file of the same name in `workers/annotations/subtypes`.
import { type TLiteral, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { commonMembers } from './common.js'

/** Differences between what a write may contain and what a read returns. */
export interface WriteRules {
  /** Members a create must have. */
  readonly required?: readonly string[]
  /** Members of which a create must have at least one. */
  readonly requiredOneOf?: readonly string[]
  /** Members whose written form differs from the read form: it has more optional members and is strict. */
  readonly written?: Readonly<Record<string, TSchema>>
  /**
   * Members for which writes accept fewer values than reads return. A value that a read returned is accepted if it is
   * unchanged.
   */
  readonly narrow?: Readonly<Record<string, TSchema>>
}

export interface SubtypeContract {
  /** Name of the subtype, `file-attachment`. */
  readonly subtype: string
  /** Value of `/Subtype` in the file; null = the subtype stands for all that have no contract. */
  readonly name: string | null
  /** Schema of the annotation as reads return it, with the members that all annotations have. */
  readonly schema: TObject
  /** Rules of writes; null = annotations of this subtype can only be read. */
  readonly write: WriteRules | null
  /**
   * Another subtype with the same members, whose work also reads, writes and draws this one; then it has no file in
   * `workers/annotations/subtypes`.
   */
  readonly like?: string
}

type Schema<Subtype extends string, Members extends TProperties> = TObject<
  { subtype: TLiteral<Subtype> } & typeof commonMembers & Members
>

/**
 *     export const Caret = subtypeContract({
 *       subtype: 'caret',
 *       name: 'Caret',
 *       members: { ...colourMembers, ...boxMembers, intent: Nullable(Type.Literal('replace')) },
 *       write: { requiredOneOf: ['box', 'rect'] },
 *     })
 */
export function subtypeContract<
  const Subtype extends string,
  const Name extends string | null,
  Members extends TProperties,
  Write extends WriteRules | null,
>({
  members,
  ...entry
}: {
  readonly subtype: Subtype
  readonly name: Name
  readonly members: Members
  readonly write: Write
  readonly like?: string
}) {
  const subtype = Type.Literal(entry.subtype)
  const schema: Schema<Subtype, Members> = Type.Object({ subtype, ...commonMembers, ...members })
  return { ...entry, schema }
}
