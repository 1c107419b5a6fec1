// Finds `${NAME}`, `${NAME:-default}` and the escape `$${` in a text and puts something in their place.

/** One `${…}` as written. */
export interface Occurrence {
  readonly name: string
  /** The text after `:-`. */
  readonly fallback: string | undefined
  readonly written: string
}

const occurrence = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-((?:(?!\$\{)[^}])*))?\})?/g

export interface Substitution {
  readonly text: string
  /** A `${` without a name that can be one. */
  readonly isMalformed: boolean
}

/** The text with every occurrence replaced by what `replace` answers. */
export function substitute(text: string, replace: (found: Occurrence) => string): Substitution {
  let isMalformed = false
  const replaced = text.replace(occurrence, (written: string, name?: string, fallback?: string) => {
    if (written === '$${') return '${'
    if (name !== undefined) return replace({ name, fallback, written })
    isMalformed = true
    return written
  })
  return { text: replaced, isMalformed }
}
