// Returns members of fields in the form of a patch.
import type { FormField } from '../../contract/form-field.js'

export const defaultText = ({
  defaultValue,
  defaultValueEntry,
}: FormField & { readonly defaultValue: string }): string | null =>
  defaultValueEntry.kind === 'none' ? null : defaultValue

export const plainOptions = ({
  options,
}: {
  readonly options: readonly { readonly label: string; readonly value: string }[]
}) => options.map(({ label, value }) => ({ label, value }))
