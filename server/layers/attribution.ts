// Overrides authorship read from a file with the stored authorship.

import type { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import type { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import type { AuthorshipRow } from '../rows/authorship.js'
import type { PromotedAnnotations } from '../rows/version.js'

/** Returns the number under which authorship is stored; undefined if none was ever stored. */
export function annotationNumber(ref: AnnotationRef, promoted: PromotedAnnotations): number | undefined {
  if (ref.kind === 'objectNumber') return ref.objectNumber
  const { page, baseIndex } = ref
  return promoted.find((one) => one.page === page.objectNumber && one.baseIndex === baseIndex)?.objectNumber
}

export const fieldNumber = (ref: FormFieldRef): number | undefined =>
  ref.kind === 'objectNumber' ? ref.objectNumber : undefined

type When = string | null

/** Returns the stored author, else the one that the file states. */
export function attributedAnnotation<Read extends { readonly createdAt: When; readonly modifiedAt: When }>(
  annotation: Read,
  row: AuthorshipRow | undefined,
): Read {
  if (row === undefined) return annotation
  const { userId, createdBy, modifiedBy, groupId, importedBy } = row
  return {
    ...annotation,
    userId,
    createdBy,
    modifiedBy,
    groupId,
    importedBy,
    createdAt: isoOf(row.createdAt) ?? annotation.createdAt,
    modifiedAt: isoOf(row.modifiedAt) ?? annotation.modifiedAt,
  }
}

export function attributedField<Read extends { readonly createdAt: When; readonly filledAt: When }>(
  field: Read,
  row: AuthorshipRow | undefined,
): Read {
  if (row === undefined) return field
  const { createdBy, filledBy, filledByName, importedBy } = row
  return {
    ...field,
    createdBy,
    filledBy,
    filledByName,
    importedBy,
    createdAt: isoOf(row.createdAt) ?? field.createdAt,
    filledAt: isoOf(row.filledAt) ?? field.filledAt,
  }
}

/** Returns a date with whole seconds, as PDF files store them. */
const isoOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')
