// Metadata, and the three ways in which the two APIs update it.
import { Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { refuse } from '../../emulator/contract.js'

const limits = { pairsMax: 16, keyLengthMax: 64, valueLengthMax: 512 } as const

export const Metadata = Type.Record(Type.String(), Type.String())
export const MetadataPatch = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]))

type Values = Readonly<Record<string, string | null>>

/** Key that the service writes itself, and refuses in requests of the forward API. */
export const reservedKey = 'created_by'

export function checkedMetadata(
  values: Values = {},
  { pairsMax = limits.pairsMax as number, isReserved = false } = {},
): JsonObject {
  const entries = Object.entries(values)
  if (entries.length > pairsMax) throw refuse('invalid', `metadata: at most ${pairsMax} keys`, { param: 'metadata' })
  for (const [key, value] of entries) {
    const param = `metadata.${key}`
    if (key === '' || key.length > limits.keyLengthMax) throw refuse('invalid', `${param}: key too long`, { param })
    if ((value ?? '').length > limits.valueLengthMax) throw refuse('invalid', `${param}: value too long`, { param })
    if (isReserved && key === reservedKey) throw refuse('invalid', `${param}: reserved`, { param })
  }
  return { ...values }
}

/** Applies a patch: `null` deletes a key, and so does an empty text for calls whose documentation says so. */
export function patchedMetadata(
  current: Json | undefined,
  patch: Values,
  options: { readonly deletes: readonly (null | '')[]; readonly isReserved?: boolean },
): JsonObject {
  checkedMetadata(patch, { ...options, pairsMax: Number.POSITIVE_INFINITY })
  const merged: [key: string, value: string][] = []
  for (const [key, value] of Object.entries({ ...(isObject(current) ? current : {}), ...patch })) {
    if (typeof value === 'string' && !(value === '' && options.deletes.includes(''))) merged.push([key, value])
    else if (value === null && !options.deletes.includes(null))
      throw refuse('invalid', `metadata.${key}: must be a string`)
  }
  return checkedMetadata(Object.fromEntries(merged))
}
