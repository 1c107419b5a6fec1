// Reads a request from fastify and checks it against the schemas of its route.
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { SchemaChecks } from '../../core/plugin/schema-checks.js'
import { isObject } from '../../core/value/tree.js'
import { type Route, refuse } from './contract.js'
import { type Issue, issuesOf } from './issues.js'

export interface AcceptedRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Refuses members that the schemas do not allow. The message names the first problem, `issues` all of them. */
export function checkRequest(
  route: Route,
  body: unknown,
  request: FastifyRequest,
  checks: SchemaChecks,
): AcceptedRequest {
  const issues = [...issuesIn(checks, route.query, request.query), ...issuesIn(checks, route.body, body ?? {})]
  const first = issues[0]
  if (first) throw refuse('invalid', first.message, { issues, param: first.path })
  return { params: textMembers(request.params), query: textMembers(request.query), body: body ?? {} }
}

/** Returns the issues of a value; without a schema every member is one. */
function issuesIn(checks: SchemaChecks, schema: TSchema | undefined, value: unknown): readonly Issue[] {
  if (schema) return issuesOf(schema, value, checks)
  const names = Object.keys(isObject(value) ? value : {})
  return names.map((name) => ({ path: name, problem: 'unknown', message: `${name}: unknown field` }))
}

export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('invalid', 'the body is not JSON')
  }
}

export function textHeaders(request: FastifyRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

/** Returns the members as texts. The values of a repeated query parameter, if its schema takes a list, are joined. */
export function textMembers(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const text = Array.isArray(member) ? member.join(',') : member
      return typeof text === 'string' ? [[name, text]] : []
    }),
  )
}
