// The link of a request that cannot send a header, such as that of an `<img>`.
import type { FastifyRequest } from 'fastify'
import type { Deployment } from '../operation/deployment.js'
import type { Operation } from '../operation/operation.js'
import { type Link, linkOf, linkParameter } from './link-text.js'
import { canHaveLink } from './linked-reads.js'

/** Returns the link; undefined if there is none, or a header, which takes precedence. Throws `Unauthenticated`. */
export function linkOfRequest(
  { url, headers }: FastifyRequest,
  { operation, deployment }: { readonly operation: Operation; readonly deployment: Deployment },
): Link | undefined {
  return canHaveLink(operation) && headers.authorization === undefined ? linkOf(deployment, url) : undefined
}

/** Returns the query without the parameter of the link, which belongs to no operation. */
export function withoutLink(query: unknown, operation: Operation): unknown {
  if (!canHaveLink(operation)) return query
  const { [linkParameter]: _, ...rest }: Readonly<Record<string, unknown>> = Object(query)
  return rest
}
