// Budgets of sessions and deployments. The wire has minor units as text; agents.yaml and the compared tree have dollars.
import { isEmpty, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { Budget } from '../kinds/budget.js'
import { objectOf } from '../shared/wire.js'

const minorUnits = 100

export function desiredBudget(budget: Budget | undefined): Tree | undefined {
  return budget && { amount: Math.round(budget.amount * minorUnits) / minorUnits, currency: budget.currency ?? 'USD' }
}

export function observedBudget(budget: Json | undefined): Tree | undefined {
  const { amount, currency } = objectOf(objectOf(budget)['max_list_cost'])
  return amount === undefined ? undefined : { amount: Number(amount) / minorUnits, currency }
}

/** Returns the budget of a request; no member where there is none. */
export function wireBudget(budget: Json | undefined): { readonly budget?: JsonObject } {
  if (isEmpty(budget)) return {}
  const { amount, currency } = objectOf(budget)
  const max_list_cost = { amount: String(Math.round(Number(amount) * minorUnits)), currency }
  return { budget: { type: 'limit', max_list_cost } }
}

/** Returns the budget as agents.yaml has it. */
export function declaredBudget(budget: Json | undefined): JsonObject {
  const { amount, currency } = objectOf(budget)
  if (amount === undefined) return {}
  return { budget: { amount, ...(currency === 'USD' ? {} : { currency }) } }
}
