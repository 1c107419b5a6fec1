// Groups of commands that have the same first word.
import type { CommandSummary } from '../terminal/context.js'

/** Returns groups of commands, `state` for `list`, `show` and so on; not `plan`, which is a command itself. */
export function commandGroups(commands: readonly CommandSummary[]): readonly (readonly [string, readonly string[]])[] {
  const members = new Map<string, string[]>()
  for (const { path } of commands) {
    const [first = '', second] = path.split(' ')
    if (second !== undefined) members.set(first, [...(members.get(first) ?? []), second])
  }
  return [...members].filter(([group]) => !commands.some(({ path }) => path === group))
}
