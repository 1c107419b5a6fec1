// Nothing of an encrypted document is answered, from any cache, before this request's password is known to open it. Only
// the API token can send one; other credentials need a session of the viewer, which is not part of this server.
import { reread } from '../operation/authority.js'
import type { DocumentContext, Operation } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { isUnseen, separatePages } from './repair.js'
import { baseOf, viewOf, withSource } from './view.js'

/**
 * Returns the request with the file to read from: with the first password to a document that was locked at ingest, its
 * pages are separated before anything of them is returned, so that no edit changes what they list.
 */
export async function proveAccess(
  context: DocumentContext,
  { answersLocked = false }: Operation,
): Promise<DocumentContext> {
  const { deployment, document, password, caller } = context
  const { state, encryption } = document.row
  if (state !== 'ready' || encryption?.state !== 'encrypted') return context
  if (password === undefined) {
    if (!encryption.requiresPassword || (answersLocked && caller.kind !== 'api')) return context
    throw new Refusal('DocPasswordRequired', 'The document is encrypted and opens with its password only')
  }
  // One that opens without any is asked too: the answer to a wrong password must not depend on what a cache holds.
  // No edit changes what a password opens: the file under the layer tells.
  const view = baseOf(await viewOf(context))
  if (deployment.caches.provenPasswords.isProven(view.key, password)) return context
  const { sharesAnnotations } = await withSource(view, context, (source) =>
    deployment.workers.run('unlock', { source, isUnseen: isUnseen(view) }),
  )
  if (sharesAnnotations) await separatePages(context)
  deployment.caches.provenPasswords.add(view.key, password)
  return sharesAnnotations ? await reread(context) : context
}
