// Parses the `@token` of an immutable read: `contentVersion=3,format=webp,viewport.kind=width,viewport.width=800`, keys
// in alphabetical order so that every picture has exactly one address.
import { invalidArg } from '../refusals/refusal.js'

export interface VersionedToken {
  /** Version pins by name. */
  readonly pins: Readonly<Record<string, number>>
  /** Remaining members, as a query. */
  readonly query: Readonly<Record<string, string>>
}

export function parseVersionedToken(token: string, pinNames: readonly string[]): VersionedToken {
  const members = tokenMembers(token)
  const pins = pinNames.map((name) => {
    const pin = members.get(name) ?? ''
    if (!/^[1-9][0-9]{0,15}$/.test(pin)) throw invalidArg(`A versioned address of this read needs ${name}=<number>`)
    members.delete(name)
    return [name, Number(pin)] as const
  })
  return { pins: Object.fromEntries(pins), query: Object.fromEntries(members) }
}

/** Returns the members of a token. Throws `InvalidArg` unless they are pairs in alphabetical order. */
export function tokenMembers(token: string): Map<string, string> {
  const pairs = token.split(',').map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) throw invalidArg('A versioned address ends with @key=value pairs, separated by commas')
    return [pair.slice(0, at), pair.slice(at + 1)] as const
  })
  const keys = pairs.map(([key]) => key)
  if (keys.some((key, index) => index > 0 && key <= (keys[index - 1] ?? ''))) {
    throw invalidArg('The keys of a versioned address stand in alphabetical order, each once')
  }
  return new Map(pairs)
}

/** Returns the token of the members, in alphabetical order. */
export const tokenOf = (members: Readonly<Record<string, string>>): string =>
  Object.keys(members)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((name) => `${name}=${members[name]}`)
    .join(',')
