// The values `${NAME}` can take, and which of them the file uses. They are looked up late and never printed.
import { expand } from '../value/placeholder.js'
import type { Variables } from './declaration.js'
import { declarationLimits } from './limits.js'

export class KnownVariables implements Variables {
  private readonly secrets = new Set<string>()
  private readonly names = new Map<string, string>()
  private readonly used = new Set<string>()
  private needles: readonly string[] | undefined

  constructor(
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly dotenv: ReadonlyMap<string, string>,
  ) {}

  /** The process environment first, then `.env`. */
  value(name: string): string | undefined {
    return (Object.hasOwn(this.environment, name) ? this.environment[name] : undefined) ?? this.dotenv.get(name)
  }

  /** The value of a variable the file uses; messages then name the variable instead. */
  use(name: string): string | undefined {
    const value = this.value(name)
    this.used.add(name)
    if (value !== undefined && value.length >= declarationLimits.maskedLengthMin) this.names.set(value, name)
    return value
  }

  /** True where the file uses the variable, and its value is the one in `.env`. */
  isUsedFromDotenv(name: string): boolean {
    return this.used.has(name) && (!Object.hasOwn(this.environment, name) || this.environment[name] === undefined)
  }

  /** From now on `mask` hides this text. Short ones stay, or half of every message would vanish. */
  hide(secret: string | undefined): void {
    if (secret === undefined || secret.length < declarationLimits.maskedLengthMin || this.secrets.has(secret)) return
    this.secrets.add(secret)
    this.needles = undefined
  }

  mask(text: string): string {
    this.needles ??= [...this.secrets].flatMap(spellings).sort((a, b) => b.length - a.length)
    return this.needles.reduce((masked, needle) => masked.replaceAll(needle, '(sensitive)'), text)
  }

  /** The text as it may be told: `${NAME}` instead of the value, and instead of a placeholder for it. */
  conceal(text: string): string {
    const written = expand(text, (found) => (found.type === 'variable' ? `\${${found.name}}` : undefined))
    const values = [...this.names].sort(([a], [b]) => b.length - a.length)
    return this.mask(
      values.reduce((concealed, [value, name]) => concealed.replaceAll(value, () => `\${${name}}`), String(written)),
    )
  }
}

/** As it is, inside JSON, and inside a URL. */
function spellings(secret: string): readonly string[] {
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed(secret))])]
}

/** Half a surrogate pair cannot be encoded; the environment of some systems allows one. */
function wellFormed(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
