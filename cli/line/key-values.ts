// Parses `KEY=VALUE` options.
import { UsageProblem } from './usage.js'

const keyPattern = /^[^=\s]+$/

/** Parses the options into a map, in which a later value of a key replaces an earlier one. */
export function keyValues(option: string, written: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    written.map((word) => {
      const cut = word.indexOf('=')
      const key = cut < 0 ? '' : word.slice(0, cut)
      if (keyPattern.test(key)) return [key, word.slice(cut + 1)]
      throw new UsageProblem('cli.key-value', {
        detail: `${option} takes KEY=VALUE, and this is "${cut < 0 ? word : `${key}=…`}".`,
        fix: `Write ${option} NAME=value.`,
      })
    }),
  )
}
