// Compiles what a request looks for: a text, a pattern, or a preset.
import { JobRefusal } from '../contract/job-refusal.js'
import type { Sought } from '../contract/marking.js'
import { compilePattern, type SearchPattern } from '../pages/search-pattern.js'
import { presetPatterns } from './presets/index.js'

const switches = ['matchCase', 'matchDiacritics', 'wholeWord', 'ignoreWhitespace'] as const
type Switch = (typeof switches)[number]

/** Switches that have no effect, by what is looked for: they are refused, so that nobody relies on them. */
const without: Readonly<Record<'text' | 'regex' | 'preset', readonly Switch[]>> = {
  text: [],
  regex: ['matchDiacritics', 'ignoreWhitespace'],
  preset: switches,
}

/** Throws `InvalidArg`. */
export function compileSought(sought: Sought): SearchPattern {
  const { text, regex, preset } = sought
  const named = (['text', 'regex', 'preset'] as const).filter((name) => sought[name] !== undefined)
  const [kind] = named
  if (kind === undefined || named.length > 1)
    throw new JobRefusal('InvalidArg', 'Name exactly one of text, regex and preset', {
      pointer: `/${named[1] ?? 'text'}`,
    })
  const useless = without[kind].find((name) => sought[name] === true)
  if (useless !== undefined)
    throw new JobRefusal('InvalidArg', `${useless} has no effect on a ${kind}`, { pointer: `/${useless}` })
  if (preset !== undefined) return presetPatterns[preset]
  const { matchCase = false, matchDiacritics = false, wholeWord = false, ignoreWhitespace = false } = sought
  const query = {
    text: text ?? regex ?? '',
    regex: kind === 'regex',
    matchCase,
    matchDiacritics,
    wholeWord,
    ignoreWhitespace,
  }
  return compilePattern(query, `/${kind}`)
}
