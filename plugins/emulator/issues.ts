// Schema checks of the emulated APIs: nothing is coerced or dropped, and every problem is reported by path.
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { SchemaChecks } from '../../core/plugin/schema-checks.js'

export interface Issue {
  /** Path of the member, `config.networking.type`; empty for the body itself. */
  readonly path: string
  /**
   * Kind of the problem. `unknown`: the schema lacks the member. `missing`: a required member is absent. `wrong`: type,
   * length or pattern is invalid.
   */
  readonly problem: 'unknown' | 'missing' | 'wrong'
  readonly message: string
}

/** Returns all issues of a value; empty if it is valid. */
export function issuesOf(schema: TSchema, value: unknown, checks = new SchemaChecks()): readonly Issue[] {
  if (checks.fits(schema, value)) return []
  const issues: Issue[] = []
  for (const error of Errors(schema, value)) {
    const path = error.instancePath.slice(1).replaceAll('/', '.')
    const below = (name: string) => (path === '' ? name : `${path}.${name}`)
    if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties)
        issues.push({ path: below(name), problem: 'unknown', message: `${below(name)}: unknown field` })
    } else if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties)
        issues.push({ path: below(name), problem: 'missing', message: `${below(name)}: field required` })
    } else if (error.keyword !== 'boolean') {
      issues.push({ path, problem: 'wrong', message: `${path || 'body'}: ${error.message}` })
    }
  }
  return issues.length > 0 ? issues : [{ path: '', problem: 'wrong', message: 'body: does not fit' }]
}
