// Converts texts of providers to the form of agents.yaml: `${` is escaped, and secrets and values of variables become
// references.

import { declarationLimits } from '../declaration/limits.js'
import { substitute } from '../declaration/substitute.js'
import type { Variables } from '../plugin/declaration.js'
import { rewrite, variablePlaceholder, withVariables } from '../value/placeholder.js'
import { isObject, type Json, type JsonObject } from '../value/tree.js'

/** Minimum length of a word that does not occur in other texts by chance. */
const chanceLengthMin = 12

const current = /\u0001s:(\d+)\u0002/g

/** Texts of one declaration. References are inserted last, so that they are not escaped. */
export class WrittenText {
  private readonly references: string[] = []
  /** Values of the declaration's own variables, longest first. */
  private readonly values: readonly (readonly [value: string, name: string])[]

  /**
   * Creates the converter. `body`: the declaration as written; `used`: the variables of the whole agents.yaml. No secret
   * in them may become readable.
   */
  constructor(body: JsonObject | undefined, used: ReadonlySet<string>, variables: Variables) {
    const own = variableNames(body)
    const others = [...used].filter((name) => !own.has(name))
    const known = (name: string) => [variables.value(name) ?? '', name] as const
    this.values = [
      ...[...own].map(known).filter(([value]) => value.length >= declarationLimits.maskedLengthMin),
      ...others.map(known).filter(([value]) => isTelling(value)),
    ].sort(([a], [b]) => b.length - a.length)
  }

  /** Returns a stand-in for a reference to a variable, for use inside any text. */
  placeholderFor(reference: string): string {
    return `\u0001s:${this.references.push(reference) - 1}\u0002`
  }

  of(body: JsonObject): JsonObject {
    return mapTexts(body, (text) => this.escapedText(text)) as JsonObject
  }

  private escapedText(text: string): string {
    let written = text.replaceAll('${', () => '$${')
    for (const [value, name] of this.values)
      written = written.replaceAll(
        value.replaceAll('${', () => '$${'),
        () => this.placeholderFor(`\${${name}}`),
      )
    return written.replace(current, (_, index: string) => this.references[Number(index)] ?? '')
  }
}

/** True unless the value is a word that may occur in other texts by chance. */
function isTelling(value: string): boolean {
  const isPlainWord = /^[A-Za-z][a-z._-]*$/.test(value) && value.length < chanceLengthMin
  return value.length >= declarationLimits.maskedLengthMin && !isPlainWord
}

/**
 * True if no variable is replaced by a text that may be its value. The former value is unknown for a variable that is
 * unset or has another value now.
 */
export function retainsVariables(before: Json | undefined, after: Json | undefined): boolean {
  // A variable that occurs in two places may be lost in one of them.
  const remaining = referencesIn(after)
  if ([...referencesIn(before)].every(([name, count]) => (remaining.get(name) ?? 0) >= count)) return true
  const known = new Set(textsIn(before))
  return textsIn(after).every((text) => known.has(text))
}

function textsIn(value: Json | undefined): readonly string[] {
  const texts: string[] = []
  mapTexts(value ?? null, (text) => {
    texts.push(text)
    return text
  })
  return texts
}

/** Returns the value as the declaration stage reads it, with placeholders for references and without escapes. */
export function asLoaded(value: Json): Json {
  return mapTexts(value, (text) => substitute(text, ({ name, fallback }) => variablePlaceholder(name, fallback)).text)
}

/** Returns a loaded value as agents.yaml would write it; `inserted`: the values that were inserted while reading. */
export function asWritten(value: Json, inserted: ReadonlyMap<string, string> = new Map()): Json {
  const variable = withVariables(value, inserted, declarationLimits.maskedLengthMin)
  return mapTexts(variable, (text) =>
    String(
      rewrite(
        text.replaceAll('${', () => '$${'),
        (open) => (open.type === 'variable' ? reference(open) : undefined),
      ),
    ),
  )
}

function reference({ name, fallback }: { readonly name: string; readonly fallback: string | undefined }): string {
  return fallback === undefined ? `\${${name}}` : `\${${name}:-${fallback}}`
}

/** Returns the names of all variables that texts refer to. */
export function variableNames(
  value: Json | undefined,
  isWanted = (_fallback: string | undefined) => true,
): ReadonlySet<string> {
  return new Set(referencesIn(value, isWanted).keys())
}

/** Returns how often texts refer to each variable. */
function referencesIn(
  value: Json | undefined,
  isWanted = (_fallback: string | undefined) => true,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  mapTexts(value ?? null, (text) => {
    substitute(text, ({ name, fallback, written }) => {
      if (isWanted(fallback)) found.set(name, (found.get(name) ?? 0) + 1)
      return written
    })
    return text
  })
  return found
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, member === undefined ? undefined : mapTexts(member, map)]),
  )
}
