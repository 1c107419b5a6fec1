// Members that several form families share.
import { Type } from 'typebox'
import { FieldOption } from '../field-option.js'
import { ToggleWidget } from '../form-widget.js'

export const toggleMembers = { widgets: Type.Array(ToggleWidget) }
export const optionMembers = { options: Type.Array(FieldOption) }

export const writtenFlag = Type.Optional(Type.Boolean())
export const writtenText = Type.Optional(Type.String())
export const writtenOptions = Type.Optional(Type.Array(Type.Object({ label: Type.String(), value: Type.String() })))

/**
 * Default value in a patch. A patch may omit the family, so the type of the value is checked with the field at hand.
 */
export const patchedDefault = Type.Optional(Type.Union([Type.String(), Type.Array(Type.String()), Type.Null()]))
