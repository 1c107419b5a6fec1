// Declarations and projects as the engine hands them to providers.
import { Errors } from 'typebox/value'
import type { Declaration, Project } from '../../core/plugin/declaration.js'
import type { JsonObject } from '../../core/value/tree.js'
import { kinds } from '../../plugins/kinds/index.js'

/** Throws if the body violates the schema of the kind. */
export function declared(provider: string, kind: string, name: string, body: object): Declaration {
  const schema = kinds.find((known) => known.kind === kind)?.schema
  const errors = schema ? Errors(schema, body) : [{ message: 'no such kind' }]
  if (errors.length > 0) throw new Error(`not a ${kind}: ${JSON.stringify(errors)}`)
  const providers = { names: [provider], by: 'default' } as const
  return { kind, name, body: body as JsonObject, providers, sources: new Map() }
}

/** A project of these declarations and nothing else. */
export function projectOf(declarations: readonly Declaration[]): Project {
  return {
    file: '/nowhere/agents.yaml',
    folder: '/nowhere',
    providers: new Map(),
    defaults: {},
    declarations,
    find: (kind, name) => declarations.find((found) => found.kind === kind && found.name === name),
    ofKind: (kind) => declarations.filter((found) => found.kind === kind),
    variables: { value: () => undefined, mask: (text) => text },
  }
}
