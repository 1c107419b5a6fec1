// Values of variables, and the ones that the file uses. They are looked up late and never printed.

import type { Variables } from '../plugin/declaration.js'
import { asNames } from '../value/placeholder.js'
import { declarationLimits } from './limits.js'
import { cutShort, spellingsOf } from './spellings.js'

const hidden = '(sensitive)'

export class KnownVariables implements Variables {
  private readonly secrets = new Set<string>()
  /** Spellings in the file of values, and of texts that contain them. */
  private readonly names = new Map<string, string>()
  /** Short values by variable name. */
  private readonly short = new Map<string, string>()
  private readonly used = new Set<string>()
  private needles: readonly string[] | undefined

  constructor(
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly dotenv: ReadonlyMap<string, string>,
  ) {}

  /** Returns the value from the process environment, else from `.env`. */
  value(name: string): string | undefined {
    return (Object.hasOwn(this.environment, name) ? this.environment[name] : undefined) ?? this.dotenv.get(name)
  }

  /** Returns the value of a variable that the file uses. From now on messages show the name instead of the value. */
  use(name: string): string | undefined {
    const value = this.value(name)
    this.used.add(name)
    if (!value) return value
    if (isShort(value)) this.short.set(name, value)
    else this.names.set(value, `\${${name}}`)
    return value
  }

  /** True if the file uses the variable and its value comes from `.env`. */
  isUsedFromDotenv(name: string): boolean {
    return this.used.has(name) && (!Object.hasOwn(this.environment, name) || this.environment[name] === undefined)
  }

  /** Records how the file spells a text; messages then show that spelling: `in/${NAME}.md`. */
  name(text: string, written: string): void {
    if (!isShort(text) && !this.names.has(text)) this.names.set(text, written)
  }

  /** Adds a text for `mask` to hide. Short texts are not hidden, because they occur in many words of messages. */
  hide(secret: string | undefined): void {
    if (secret === undefined || isShort(secret) || this.secrets.has(secret)) return
    this.secrets.add(secret)
    this.needles = undefined
  }

  mask(text: string): string {
    this.needles ??= [...new Set([...this.secrets].flatMap(spellingsOf))].sort((a, b) => b.length - a.length)
    const masked = this.needles.reduce((current, needle) => current.replaceAll(needle, hidden), text)
    return cutShort(masked, this.needles, hidden)
  }

  /**
   * Returns the text for display, with `${NAME}` in place of the value and of its placeholder. `about` is the piece of
   * the file that the text describes; short values of the variables in it are replaced too.
   */
  conceal(text: string, about = ''): string {
    const values = [...this.names].sort(([a], [b]) => b.length - a.length)
    const long = values.reduce((current, [value, written]) => current.replaceAll(value, () => written), asNames(text))
    const short = [...this.short].filter(([name, value]) => value.length > 1 && about.includes(`\${${name}`))
    return this.mask(short.reduce((current, [name, value]) => withoutWord(current, value, `\${${name}}`), long))
  }
}

/** Replaces the word, except where it is part of a longer one. */
function withoutWord(text: string, word: string, put: string): string {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'gu'), () => put)
}

function isShort(text: string): boolean {
  return text.length < declarationLimits.maskedLengthMin
}
