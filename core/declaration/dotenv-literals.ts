// Warns of values in `.env` that shells and docker compose read otherwise: with escapes, other variables, or quotes that
// do not enclose the whole value.
import type { Diagnostic } from '../diagnostic.js'
import type { DotenvText } from './dotenv-cuts.js'
import { problems } from './problems.js'
import { SourceText } from './source-text.js'

/** Assignments as dotenv finds them; the second group is the value with its quotes. */
const assignments =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm

/** Spellings that a shell reads otherwise, in the order in which they are reported. */
const literals: readonly { readonly is: (written: string) => boolean; readonly detail: string }[] = [
  { is: hasStrayQuote, detail: 'does not lie in one pair of quotes, and is read with the quotes inside it' },
  { is: (written) => written.startsWith('`'), detail: 'lies in backticks, which are read as quotes and run nothing' },
  {
    is: (written) => written.startsWith('"') && /\\[^nr]/.test(written),
    detail: 'has backslashes in double quotes, and keeps them',
  },
  {
    is: (written) => !written.startsWith("'") && /\$\{/.test(written),
    detail: 'contains ${, which is not replaced by another variable',
  },
]

/** Returns one warning for every used variable whose value a shell or docker compose would read otherwise. */
export function warnOfLiterals(
  { shownAs, text }: DotenvText,
  isUsed: (name: string) => boolean,
): readonly Diagnostic[] {
  const source = new SourceText(shownAs, text)
  const found = new Map<string, Diagnostic | undefined>()
  for (const { 0: line, 1: name = '', 2: value = '', index } of text.matchAll(assignments)) {
    const written = value.trim()
    const start = index + line.indexOf(written, line.indexOf(name) + name.length)
    const literal = isUsed(name) ? literals.find(({ is }) => is(written)) : undefined
    // The value may contain the text behind a #.
    const lineEnd = text.indexOf('\n', start)
    if (literal) source.hide([start, Math.max(start + written.length, lineEnd < 0 ? text.length : lineEnd)])
    found.set(
      name, // Of two lines for one variable, the last one counts.
      literal && {
        code: 'variable.read-literally',
        ...problems['variable.read-literally'],
        detail: `The value of ${name} ${literal.detail}. A shell or docker compose would read another value.`,
        place: source.place([start, start + written.length]),
      },
    )
  }
  return [...found.values()].flatMap((one) => one ?? [])
}

function hasStrayQuote(written: string): boolean {
  const [quote = ''] = written
  if (!/["'`]/.test(quote)) return false
  if (written.length < 2 || !written.endsWith(quote)) return true
  return written.slice(1, -1).replaceAll(`\\${quote}`, '').includes(quote)
}
