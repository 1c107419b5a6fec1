// `doc.links.create`: an address that opens one picture or file of the layer without a header, for a short time, such as in
// an `<img>`, or for a download that the browser itself writes to the disk.
import type { Static } from 'typebox'
import { openedAsOf } from '../access/prove-access.js'
import { storeSession } from '../access/store-session.js'
import type { DocumentCaller } from '../auth/caller.js'
import { limits } from '../limits.js'
import { authorize } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { invalidArg } from '../refusals/refusal.js'
import type { LinkCreated, LinkRequest } from '../schemas/link.js'
import { linkParameter, linkText, queryOf, unescaped } from './link-text.js'

export async function createLink(
  { url, expiresIn = limits.linkSecondsDefault }: Static<typeof LinkRequest>,
  context: DocumentContext,
): Promise<Static<typeof LinkCreated>> {
  const { deployment, caller } = context
  await refuseUnreadable(url, context)
  const end = deployment.clock.now() + expiresIn * 1000
  const endsAt = caller.kind === 'document' ? Math.min(end, caller.expiresAt * 1000) : end
  const reader = caller.kind === 'document' ? readerOf(caller) : await callerOfOperator(context, endsAt)
  const link = { caller: reader, endsAt }
  const separator = url.includes('?') ? '&' : '?'
  return {
    url: `${url}${separator}${linkParameter}=${linkText(deployment, url, link)}`,
    expiresAt: Math.floor(endsAt / 1000),
  }
}

/** Refuses an address that the caller itself could not read. */
async function refuseUnreadable(url: string, context: DocumentContext): Promise<void> {
  const { document, layerName, findRead } = context
  const path = url.split('?', 1).join('')
  const read = findRead(path)
  const isOfLayer = read?.layerName === undefined || unescaped(read.layerName) === layerName
  if (read === undefined || read.docId !== document.row.id || !isOfLayer || queryOf(url).has(linkParameter))
    throw invalidArg('In the request, url names no picture and no file of this layer', {
      part: 'body',
      pointer: '/url',
    })
  const { plane, authority } = read.operation
  await authorize({ plane, authority, docId: document.row.id, layerName }, context)
}

/** Returns the caller without what only changes depend on, so that the link stays short. */
function readerOf(caller: DocumentCaller): DocumentCaller {
  const { collab, capabilities } = caller.scope
  // Scopes of single annotations include the right to read all.
  const implied = collab.length > 0 ? (['doc.annotate.read'] as const) : []
  return { ...caller, person: {}, scope: { ...caller.scope, collab: [], capabilities: [...capabilities, ...implied] } }
}

/**
 * Returns a caller for links of the API token: it may read this document only. It gets the password that came with the
 * request, because nobody sends one with a link.
 */
async function callerOfOperator(context: DocumentContext, endsAt: number): Promise<DocumentCaller> {
  const { deployment, tenant, document, layerName, password } = context
  const caller: DocumentCaller = {
    kind: 'document',
    sub: 'api',
    tenantId: tenant.row.id,
    jti: deployment.random.uuid(),
    issuedAt: deployment.clock.now() / 1000,
    expiresAt: endsAt / 1000,
    origins: undefined,
    resourceId: document.internal,
    docId: document.row.id,
    layerName,
    scope: { isEverything: true, followsPdf: false, capabilities: ['doc.unredacted'], collab: [] },
    person: {},
    share: undefined,
    storedBytesMax: undefined,
  }
  if (password !== undefined) {
    // The link alone has the session, and no window.
    await storeSession(
      { ...context, caller, headers: {} },
      { password, openedAs: await openedAsOf(context), expiresAt: endsAt },
    )
  }
  return caller
}
