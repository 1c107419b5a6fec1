// Verifies the password of an encrypted document before any content is returned, cached or not. Only the API token can send
// a password; other credentials need a viewer session, which this server does not have.
import { reread } from '../operation/authority.js'
import type { DocumentContext, Operation } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { isUninspected, separatePages } from './repair.js'
import { baseOf, viewOf, withSource } from './view.js'

/**
 * Returns the context with which the request is handled. The first access to a document that was locked at ingest may
 * separate annotations that its pages share; then the context is read again. This happens before anything is returned,
 * so that later edits do not change the lists.
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
  // The password is verified even if the file opens without one: the response to a wrong password must not depend on a
  // cache. Edits do not change the encryption, so the base file is sufficient.
  const view = baseOf(await viewOf(context))
  if (deployment.caches.provenPasswords.isProven(view.key, password)) return context
  const { sharesAnnotations } = await withSource(view, context, (source) =>
    deployment.workers.run('unlock', { source, isUninspected: isUninspected(view) }),
  )
  if (sharesAnnotations) await separatePages(context)
  deployment.caches.provenPasswords.add(view.key, password)
  return sharesAnnotations ? await reread(context) : context
}
