// Validates with unknown members refused, so that tests detect misspelt members. Clients ignore unknown members.
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): readonly object[]
}

/** Compiled on first use, and once. */
export function strictly(schema: TSchema): () => Validator {
  let compiled: Validator | undefined
  return () => {
    compiled ??= Compile(new SharedParts().of(closed(JSON.parse(JSON.stringify(schema)))))
    return compiled
  }
}

/** Shortest text of a part that is worth a reference, in characters. */
const sharedLength = 500

/**
 * The schemas of answers repeat large parts (a tree of actions stands 220 times in that of an annotation), and the compiler
 * searches the whole schema for every reference that is not a pointer. So each large part stands once, in the definitions of
 * the root, and references are pointers.
 */
class SharedParts {
  readonly #definitions: Record<string, unknown> = {}
  /** Definitions of the schemas themselves, as text. */
  readonly #named = new Map<string, string>()
  readonly #names = new Map<string, string>()

  of(schema: object): object {
    return { ...this.#withReferences(schema), $defs: this.#definitions }
  }

  #withReferences(schema: object): object {
    const { $defs = {}, $id, ...part }: Readonly<Record<string, unknown>> = { ...schema }
    for (const [name, definition] of Object.entries(Object($defs))) {
      const text = JSON.stringify(definition)
      const known = this.#named.get(name) ?? text
      if (known !== text) throw new Error(`${name} has two definitions`)
      if (this.#named.has(name)) continue
      this.#named.set(name, text)
      this.#definitions[name] = this.#withReferences(Object(definition))
    }
    const members = Object.entries(part).map(([name, value]) => [name, this.#member(name, value)])
    return Object.fromEntries(members)
  }

  #member(name: string, value: unknown): unknown {
    if (name === '$ref') return `#/$defs/${value}`
    if (name === 'const' || name === 'enum' || !isObject(value)) return value
    if (Array.isArray(value))
      return value.map((element: unknown) => (isObject(element) ? this.#shared(element) : element))
    if (name === 'properties' || name === 'patternProperties')
      return Object.fromEntries(Object.entries(value).map(([key, schema]) => [key, this.#shared(Object(schema))]))
    return this.#shared(value)
  }

  #shared(part: object): object {
    const text = JSON.stringify(part)
    if (text.length < sharedLength) return this.#withReferences(part)
    const name = this.#names.get(text) ?? `part${this.#names.size}`
    if (!this.#names.has(text)) {
      this.#names.set(text, name)
      this.#definitions[name] = this.#withReferences(part)
    }
    return { $ref: `#/$defs/${name}` }
  }
}

function closed(schema: object): object {
  const members = Object.entries(schema).map(([name, member]) => [
    name,
    isObject(member) ? closedMember(member) : member,
  ])
  return { ...Object.fromEntries(members), ...('properties' in schema && { additionalProperties: false }) }
}

const closedMember = (member: object): unknown =>
  Array.isArray(member)
    ? member.map((element: unknown) => (isObject(element) ? closed(element) : element))
    : closed(member)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
