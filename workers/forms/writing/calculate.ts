// Computes calculated fields whose script is one of the standard forms from the fields that it names, in calculation
// order (ISO 32000-2, 12.7.3: /CO).

import type { FormField } from '../../contract/form-field.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { FoundField } from '../reading/found-field.js'
import { type Calculation, type CalculationName, calculationOf, rangeProblem } from '../scripts/field-scripts.js'
import { numberFrom, tidyNumber } from '../scripts/numbers.js'
import type { FormModel } from './form-model.js'

type Fold = (numbers: readonly number[]) => number

/** Fields without a number count as 0, as in readers that run these scripts. */
const folds: Readonly<Record<CalculationName, Fold>> = {
  SUM: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  PRD: (numbers) => numbers.reduce((product, number) => product * number, 1),
  AVG: (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length,
  MIN: (numbers) => numbers.reduce((least, number) => Math.min(least, number)),
  MAX: (numbers) => numbers.reduce((greatest, number) => Math.max(greatest, number)),
}

/** Maximum number of values of one calculation. */
const operandsMax = 10_000

export interface CalculatedField {
  readonly found: FoundField
  readonly value: string
}

interface Names {
  /** Full names of fields whose value has changed, to which calculated fields are added. */
  readonly changed: Set<string>
  /** Fields that are not calculated, because their value was just set or restored by an undo. */
  readonly excluded: ReadonlySet<FoundField>
  /** Fields that were reset, whether or not the fields they are calculated from were. */
  readonly reset: ReadonlySet<FoundField>
}

/**
 * Calls `set` with each new value, in order. Returns the fields whose script is not a standard one and those that
 * reject the result: their values may be outdated and cannot be computed here.
 */
export function calculate(
  model: FormModel,
  { changed, excluded, reset }: Names,
  set: (calculated: CalculatedField) => void,
): readonly FormFieldRef[] {
  const left: FormFieldRef[] = []
  if (changed.size === 0) return left
  // Each field is calculated once, even if the order lists it repeatedly.
  const seen = new Set(excluded)
  for (const ref of model.calculationOrder) {
    const found = ref === null ? undefined : model.lookUp(ref)
    if (found === undefined || seen.has(found)) continue
    seen.add(found)
    const calculation = calculationOf(model.reading, found.node.object)
    if (calculation === 'other') left.push(found.ref)
    if (typeof calculation === 'string' || model.change.protection.isLocked(found.node.name)) continue
    const value = resultOf(model, calculation, reset.has(found) ? undefined : changed)
    const field = model.read(found)
    if (value === undefined || field.family !== 'text' || field.value === value) continue
    if (rangeProblem(model.reading, found.node.object, value) !== undefined) {
      left.push(found.ref)
      continue
    }
    set({ found, value })
    changed.add(found.node.name)
  }
  return left
}

/** Returns undefined if none of the fields it is calculated from has changed. */
function resultOf(
  model: FormModel,
  { name, fields }: Calculation,
  changed: ReadonlySet<string> | undefined,
): string | undefined {
  const operands = fields.flatMap((operand) => operandsNamed(model, operand)).slice(0, operandsMax)
  if (changed !== undefined && !operands.some(({ node }) => changed.has(node.name))) return undefined
  const texts = operands.map((operand) => textOf(model.read(operand)))
  // Without any value, the result is empty.
  if (texts.every((text) => text === '')) return ''
  const result = folds[name](texts.map((text) => numberFrom(text) ?? numberFrom(text, 0) ?? 0))
  return Number.isFinite(result) ? tidyNumber(result) : ''
}

function operandsNamed(model: FormModel, name: string): readonly FoundField[] {
  const named = model.named(name)
  if (named.length > 0) return named.slice(0, 1)
  return model.fields.filter(({ node }) => node.name.startsWith(`${name}.`))
}

function textOf(field: FormField): string {
  if (field.family === 'checkbox') return field.checked ? field.exportValue : ''
  return 'value' in field ? field.value : ''
}
