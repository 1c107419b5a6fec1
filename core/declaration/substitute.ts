// Replaces `${NAME}`, `${NAME:-default}` and the escape `$${` in a text.

/** One `${…}` as written. */
export interface Occurrence {
  readonly name: string
  /** Default value: the text after `:-`. */
  readonly fallback: string | undefined
  readonly written: string
}

const occurrence = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-((?:(?!\$\{)[^}])*))?\})?/g

export interface Substitution {
  readonly text: string
  /** True for a `${` without a valid name after it. */
  readonly isMalformed: boolean
}

/** Replaces every occurrence in the text by the result of `replace`. */
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
