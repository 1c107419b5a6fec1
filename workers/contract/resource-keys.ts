// Names of the file parts an op takes its bytes from: the part of the key `k` is called `resource:k`.
import { type Static, Type } from 'typebox'
import { strict } from './strict.js'

const Key = Type.String({ minLength: 1 })

export const ResourceKeys = Type.Object({ appearance: Type.Optional(Key), file: Type.Optional(Key) }, strict)
export type ResourceKeys = Static<typeof ResourceKeys>
