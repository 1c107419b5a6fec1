// Schema of the values of a form by the full names of its fields.
import { type Static, Type } from 'typebox'
import { Words } from './words.js'

/**
 * Value of a field: text, the export value of a radio group, whether a checkbox is checked, or the selected values of a
 * list box. Null = empty, or no button of the group.
 */
export const FormValue = Type.Union([Type.String(), Type.Boolean(), Type.Array(Type.String()), Type.Null()])
export type FormValue = Static<typeof FormValue>

const name = Type.String({ minLength: 1 })

export const FormValues = Type.Object({ values: Type.Record(name, FormValue) })
export type FormValues = Static<typeof FormValues>

export const formValueFormats = ['json', 'fdf', 'xfdf'] as const
export const FormValuesFormat = Words([...formValueFormats])
export type FormValuesFormat = Static<typeof FormValuesFormat>
