// What a route answers of the item of its op: the same without `type`, which the address says already.
import { type TObject, type TSchema, Type } from 'typebox'

export function itemAnswer({ properties: { type: _type, ...members } }: TObject): TSchema {
  return Type.Object(members)
}
