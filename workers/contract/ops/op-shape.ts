// What one kind of op takes (strict, `type` included) and what an answer holds for it (`type` included).
import type { TSchema } from 'typebox'

export interface OpShape {
  readonly op: TSchema
  readonly item: TSchema
}
