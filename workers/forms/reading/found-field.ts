// A field of the tree that has not been read yet.
import type { FieldBase } from '../../contract/fields/family-contract.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { FieldNode } from '../../fields/field-tree.js'
import type { FieldWidget } from './toggles.js'

/** Position of a field in the field tree, and its widgets. */
export interface FoundField {
  readonly ref: FormFieldRef
  readonly origin: FieldBase['origin']
  readonly node: Omit<FieldNode, 'widgets'>
  readonly widgets: readonly FieldWidget[]
}
