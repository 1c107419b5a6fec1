// Authors that the server stores beside the file: which objects of an item are created, changed or filled by its
// caller.
import { isDeepStrictEqual } from 'node:util'
import type { AnnotationRef } from '../annotation-ref.js'
import type { FormFieldRef } from '../form-field-ref.js'

/**
 * Objects of an item by the effect on their authorship. Declared as methods, so that items of all types fit into one
 * table.
 */
export interface Authored<Item = unknown> {
  createdAnnotation?(item: Item): AnnotationRef
  createdAnnotations?(item: Item): readonly AnnotationRef[]
  /** Widgets that are created along with their field: they belong to no group. */
  createdWidgets?(item: Item): readonly AnnotationRef[]
  createdField?(item: Item): FormFieldRef
  /** Annotations that are created from a file, which may state another author than the caller. */
  importedAnnotations?(item: Item): readonly ImportedAnnotation[]
  updatedAnnotation?(item: Item): UpdatedAnnotation
  /** Further annotations that are changed, though the op did not name them: each needs the right to update it. */
  updatedAnnotations?(item: Item): readonly UpdatedAnnotation[]
  /** Fields whose value is changed. A field that had the value already is not filled by the caller. */
  filledFields?(item: Item): readonly FormFieldRef[]
}

export interface UpdatedAnnotation {
  readonly ref: AnnotationRef
  /** True if the object's entries in the file are changed; otherwise at most its group is. */
  readonly isRewritten: boolean
}

export interface ImportedAnnotation {
  readonly ref: AnnotationRef
  readonly createdAt: string | null
  readonly modifiedAt: string | null
}

interface Field {
  readonly ref: FormFieldRef
}

export const filledOf = (
  fields: readonly Field[],
  { changedFields }: { readonly changedFields: readonly FormFieldRef[] },
): readonly FormFieldRef[] =>
  fields.map(({ ref }) => ref).filter((ref) => changedFields.some((one) => isDeepStrictEqual(one, ref)))
