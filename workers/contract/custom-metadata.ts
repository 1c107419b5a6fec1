// Entries of the information dictionary that no standard knows.
import { type Static, Type } from 'typebox'

export const CustomMetadata = Type.Record(Type.String(), Type.String())
export type CustomMetadata = Static<typeof CustomMetadata>
