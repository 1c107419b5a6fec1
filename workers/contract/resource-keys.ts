// Keys of the files that an op uses: the file with the key `k` is the part `resource:k`.
import { type Static, Type } from 'typebox'
import { strict } from './strict.js'

const Key = Type.String({ minLength: 1 })

export const ResourceKeys = Type.Object({ appearance: Type.Optional(Key), file: Type.Optional(Key) }, strict)
export type ResourceKeys = Static<typeof ResourceKeys>
