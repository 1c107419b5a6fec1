// Key of the file that an import reads: the file with the key `k` is the part `resource:k`.
import { Type } from 'typebox'
import { strict } from './strict.js'

export const ImportSource = Type.Object({ source: Type.String({ minLength: 1 }) }, strict)

/** Body of a request that contains nothing but the file. */
export const bodyOfSource = { resources: { source: 'file' } } as const
