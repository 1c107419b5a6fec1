// Moves definitions of recursive schemas to the components of an OpenAPI document. Each use of such a schema brings
// its own copy of the definitions, but a name may occur only once in a document.

export interface HoistedSchemas {
  readonly value: unknown
  readonly schemas: Readonly<Record<string, unknown>>
}

interface KnownSchema {
  readonly shared: ReadonlyMap<object, string>
  readonly documented: ReadonlyMap<object, object>
}

/**
 * Replaces schemas that are keys of `documented` by their values, and turns schemas in `shared` into components of the
 * names listed there. Throws if two different schemas have the same name: one of them must be renamed.
 */
export function hoistDefinitions(
  document: unknown,
  { shared = new Map(), documented = new Map() }: Partial<KnownSchema> = {},
): HoistedSchemas {
  const known = { shared, documented }
  const schemas: Record<string, unknown> = {}
  const keep: Keep = (name, schema) => {
    const existing = schemas[name]
    if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${name}`)
    }
    schemas[name] = schema
  }
  const value = hoist(document, keep, known)
  for (const [schema, name] of shared) keep(name, hoistMembers(schema, keep, known))
  return { value, schemas }
}

type Keep = (name: string, schema: unknown) => void

function hoist(value: unknown, keep: Keep, known: KnownSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => hoist(item, keep, known))
  if (typeof value !== 'object' || value === null) return value
  const instead = known.documented.get(value)
  if (instead !== undefined) return instead
  const name = known.shared.get(value)
  return name === undefined ? hoistMembers(value, keep, known) : { $ref: addressOf(name) }
}

function hoistMembers(value: object, keep: Keep, known: KnownSchema): unknown {
  const { $defs, $ref, ...members }: { readonly $defs?: unknown; readonly $ref?: unknown } = value
  for (const [name, definition] of Object.entries(Object($defs))) {
    const { $id: _name, ...schema }: { readonly $id?: unknown } = Object(definition)
    keep(name, hoist(schema, keep, known))
  }
  const others = Object.entries(members).map(([name, member]) => [name, hoist(member, keep, known)] as const)
  return { ...(typeof $ref === 'string' ? { $ref: addressOf($ref) } : {}), ...Object.fromEntries(others) }
}

/** Returns the address of a component: `ActionNode` -> `#/components/schemas/ActionNode`. */
const addressOf = (reference: string): string =>
  reference.startsWith('#') ? reference : `#/components/schemas/${reference}`
