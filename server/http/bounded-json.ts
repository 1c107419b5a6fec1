// Bounds the depth and width of JSON that a client sent, before anything walks it.

import { limits } from '../limits.js'
import { invalidArg } from '../refusals/refusal.js'

/**
 * Whoever walks a body walks it by calling itself: one that is nested without end would end the walker, and one of names
 * without end would keep all others waiting.
 */
export function bounded(value: unknown): unknown {
  let [level, wideMembers]: [readonly unknown[], number] = [[value], 0]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.jsonDepthMax)
      throw invalidArg(`A body is not nested more than ${limits.jsonDepthMax} levels deep`)
    level = level.flatMap((one) => {
      if (typeof one !== 'object' || one === null) return []
      const members = Object.values(one)
      if (!Array.isArray(one) && members.length > limits.jsonWideObject) wideMembers += members.length
      return members
    })
    if (wideMembers > limits.jsonWideMembersMax)
      throw invalidArg(`Large objects of a body have no more than ${limits.jsonWideMembersMax} members together`)
  }
  return value
}
