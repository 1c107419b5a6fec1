// Bounds the depth and width of JSON that a client sent, before anything walks it.

import { limits } from '../limits.js'
import { invalidArg } from '../refusals/refusal.js'

/**
 * Returns the value unchanged. Throws `InvalidArg` if it is nested so deeply that recursion would overflow the stack,
 * or so wide that walking it would block other requests.
 */
export function bounded(value: unknown): unknown {
  let [level, wideMembers]: [readonly unknown[], number] = [[value], 0]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.jsonDepthMax) throw invalidArg(`JSON body is nested deeper than ${limits.jsonDepthMax} levels`)
    level = level.flatMap((one) => {
      if (typeof one !== 'object' || one === null) return []
      const members = Object.values(one)
      if (!Array.isArray(one) && members.length > limits.jsonWideObject) wideMembers += members.length
      return members
    })
    if (wideMembers > limits.jsonWideMembersMax)
      throw invalidArg(`Large objects of the JSON body have more than ${limits.jsonWideMembersMax} members in total`)
  }
  return value
}
