// Names of the form families, from their contracts.
import type { Static } from 'typebox'
import * as list from './fields/list.js'
import { Words } from './words.js'

export type FieldContract = (typeof list)[keyof typeof list]

export const fieldContracts: readonly FieldContract[] = Object.values(list)

export const FieldFamily = Words<FieldContract['family'], FieldContract['family'][]>(
  fieldContracts.map(({ family }) => family),
)
export type FieldFamily = Static<typeof FieldFamily>

export function contractOf(family: FieldFamily): FieldContract {
  const contract = fieldContracts.find((one) => one.family === family)
  if (contract === undefined) throw new Error(`There is no contract of the family ${family}`)
  return contract
}
