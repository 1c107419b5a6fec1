// Schemas that refer to themselves bring their definitions along, each place its own copy. In one document such a name may
// stand once: definitions move to the components, and references to them follow.

export interface Hoisted {
  readonly value: unknown
  readonly schemas: Readonly<Record<string, unknown>>
}

/**
 * Schemas of `shared` become components of the names they have there. Throws when two different schemas have one name:
 * whoever adds the second gives it another.
 */
export function hoistDefinitions(document: unknown, shared: ReadonlyMap<object, string> = new Map()): Hoisted {
  const schemas: Record<string, unknown> = {}
  const keep: Keep = (name, schema) => {
    const known = schemas[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${name}`)
    }
    schemas[name] = schema
  }
  const value = hoist(document, keep, shared)
  for (const [schema, name] of shared) keep(name, hoistMembers(schema, keep, shared))
  return { value, schemas }
}

type Keep = (name: string, schema: unknown) => void

function hoist(value: unknown, keep: Keep, shared: ReadonlyMap<object, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, keep, shared))
  if (typeof value !== 'object' || value === null) return value
  const name = shared.get(value)
  return name === undefined ? hoistMembers(value, keep, shared) : { $ref: addressOf(name) }
}

function hoistMembers(value: object, keep: Keep, shared: ReadonlyMap<object, string>): unknown {
  const { $defs, $ref, ...members }: { readonly $defs?: unknown; readonly $ref?: unknown } = value
  for (const [name, definition] of Object.entries(Object($defs))) {
    const { $id: _name, ...schema }: { readonly $id?: unknown } = Object(definition)
    keep(name, hoist(schema, keep, shared))
  }
  const others = Object.entries(members).map(([name, member]) => [name, hoist(member, keep, shared)] as const)
  return { ...(typeof $ref === 'string' ? { $ref: addressOf($ref) } : {}), ...Object.fromEntries(others) }
}

/** `ActionNode` -> `#/components/schemas/ActionNode`. */
const addressOf = (reference: string): string =>
  reference.startsWith('#') ? reference : `#/components/schemas/${reference}`
