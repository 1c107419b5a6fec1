// Counts the body of a request as memory until the response is sent.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../limits.js'
import { accountOf } from '../operation/account.js'
import type { Context, DocumentContext, Operation, TenantContext } from '../operation/operation.js'
import { isFileBody } from './file-bodies.js'

/** Returns the maximum size of a JSON body, in bytes. Parsing a large one blocks all other requests. */
export function bodyBytesMaxOf({ authority, plane, bodyBytesMax }: Operation): number {
  if (authority.kind === 'none') return limits.anonymousBodyBytesMax
  return bodyBytesMax ?? (plane === 'document' ? limits.jsonBodyBytesMax : limits.plainBodyBytesMax)
}

/** Runs after authorization, before the body is read. Throws `RuntimeUnavailable` above the share of the caller. */
export function holdBody(
  operation: Operation,
  context: Context,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): void {
  // Files are written to disk as they arrive.
  if (isFileBody(request, operation) || (request.isMultipart() && operation.resources === undefined)) return
  const { headers } = request
  const max = bodyBytesMaxOf(operation)
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : max
  const account = hasTenant(context) ? accountOf(context) : [{ name: 'deployment', weight: 1 }]
  const release = context.deployment.receivedBodies.hold(account, Math.min(declared, max))
  reply.raw.once('close', release)
}

const hasTenant = (context: Context): context is TenantContext | DocumentContext => 'tenant' in context
