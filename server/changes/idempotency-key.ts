// Reads the opId of a single-op request from `Idempotency-Key`; without the header a random one is used.
import { randomUUID } from 'node:crypto'
import { Compile } from 'typebox/compile'
import type { Context } from '../operation/operation.js'
import { invalidArg } from '../refusals/refusal.js'
import { IdempotencyKey } from '../schemas/ids.js'

const keyValidator = Compile(IdempotencyKey)

/** Throws `InvalidArg` for a malformed key. */
export function opIdOf({ headers }: Pick<Context, 'headers'>): string {
  const key = headers['idempotency-key']
  if (key === undefined) return randomUUID()
  if (keyValidator.Check(key)) return key
  throw invalidArg('Idempotency-Key must be 1 to 255 printable ASCII characters', { header: 'Idempotency-Key' })
}
