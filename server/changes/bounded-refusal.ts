// Bounds the texts of a refusal before it is answered and remembered, so that both are the same: messages quote the request,
// and nobody may store by being refused.

import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'

const { refusalMessageMax, refusalTextMax, refusalItemsMax, refusalDetailsBytesMax } = limits

export function boundedRefusal({ code, message, details }: Refusal): Refusal {
  const kept = details && boundedDetails(details)
  return new Refusal(code, cut(message, refusalMessageMax), kept ? { details: kept } : {})
}

function boundedDetails(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const bounded = boundedMembers(details)
  if (Buffer.byteLength(JSON.stringify(bounded)) <= refusalDetailsBytesMax) return bounded
  return Object.fromEntries(Object.entries(bounded).filter(([, value]) => typeof value !== 'object'))
}

const boundedMembers = (members: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(members)
      .slice(0, refusalItemsMax)
      .map(([name, value]) => [cut(name, refusalTextMax), boundedValue(value)]),
  )

function boundedValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, refusalTextMax)
  if (Array.isArray(value)) return value.slice(0, refusalItemsMax).map(boundedValue)
  return typeof value === 'object' && value !== null ? boundedMembers(value) : value
}

/** Cuts a text at a whole character. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
