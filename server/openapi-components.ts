// Schemas that refer to themselves bring their definitions along, each place its own copy. In one document such a name may
// stand once: definitions move to the components, and references to them follow.

export interface Hoisted {
  readonly value: unknown
  readonly schemas: Readonly<Record<string, unknown>>
}

/** Throws when two different schemas have one name: whoever adds the second gives it another. */
export function hoistDefinitions(document: unknown): Hoisted {
  const schemas: Record<string, unknown> = {}
  const value = hoist(document, (name, schema) => {
    const known = schemas[name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${name}`)
    }
    schemas[name] = schema
  })
  return { value, schemas }
}

function hoist(value: unknown, keep: (name: string, schema: unknown) => void): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, keep))
  if (typeof value !== 'object' || value === null) return value
  const { $defs, $ref, ...members }: { readonly $defs?: unknown; readonly $ref?: unknown } = value
  for (const [name, definition] of Object.entries(Object($defs))) {
    const { $id: _name, ...schema }: { readonly $id?: unknown } = Object(definition)
    keep(name, hoist(schema, keep))
  }
  const others = Object.entries(members).map(([name, member]) => [name, hoist(member, keep)] as const)
  return { ...(typeof $ref === 'string' ? { $ref: addressOf($ref) } : {}), ...Object.fromEntries(others) }
}

/** `ActionNode` -> `#/components/schemas/ActionNode`. */
const addressOf = (reference: string): string =>
  reference.startsWith('#') ? reference : `#/components/schemas/${reference}`
