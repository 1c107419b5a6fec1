// Schema of an option of a combo box or a list box.
import { type Static, Type } from 'typebox'

export const FieldOption = Type.Object({ label: Type.String(), value: Type.String(), selected: Type.Boolean() })
export type FieldOption = Static<typeof FieldOption>
