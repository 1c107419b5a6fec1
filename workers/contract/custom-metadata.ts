// Schema of entries of the information dictionary that are not standardised.
import { type Static, Type } from 'typebox'

export const CustomMetadata = Type.Record(Type.String(), Type.String())
export type CustomMetadata = Static<typeof CustomMetadata>
