// Declarations and projects for tests without an emulator.

import { Errors } from 'typebox/value'
import type { Declaration, Project } from '../../../core/plugin/declaration.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { projectOf } from '../workbench.js'

/** Throws if the body violates the schema of the kind. */
export function declared(kind: string, name: string, body: object): Declaration {
  const schema = kinds.find((known) => known.kind === kind)?.schema
  const errors = schema ? Errors(schema, body) : [{ message: 'no such kind' }]
  if (errors.length > 0) throw new Error(`not a ${kind}: ${JSON.stringify(errors)}`)
  const providers = { names: ['qoder'], by: 'default' } as const
  return { kind, name, body: body as JsonObject, providers, sources: new Map() }
}

export function projectWith(
  declarations: readonly Declaration[],
  more: {
    readonly identity?: string
    readonly variables?: Readonly<Record<string, string>>
  } = {},
): Project {
  const { identity, variables = {} } = more
  return {
    ...projectOf(declarations),
    defaults: identity === undefined ? {} : { identity },
    variables: { value: (name) => variables[name], mask: (text) => text },
  }
}
