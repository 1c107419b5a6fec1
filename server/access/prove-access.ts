// Verifies the password of an encrypted document before any content is returned, cached or not. The API token sends it with
// each request; a document token opens a session with it (`doc.access`).
import type { OpenedAs } from '../../workers/file/unlock-pdf.js'
import { isUninspected, separatePages } from '../documents/repair.js'
import { baseOf, viewOf, withSource } from '../documents/view.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext, Operation } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'

/** Returns the context with which the request is handled. Throws a refusal if the password is missing or wrong. */
export async function proveAccess(
  context: DocumentContext,
  { answersLocked = false, unlocks }: Operation,
): Promise<DocumentContext> {
  const { document, password, caller } = context
  const { state, encryption } = document.row
  if (unlocks || state !== 'ready' || encryption?.state !== 'encrypted') return context
  if (password !== undefined) return provePassword(context, password)
  if (!encryption.requiresPassword || (answersLocked && caller.kind !== 'api')) return context
  throw passwordRequired()
}

export const passwordRequired = (): Refusal =>
  new Refusal('DocPasswordRequired', 'The document is encrypted and opens with its password only')

/**
 * Verifies the password. The first access to a document that was locked at ingest may separate annotations that its pages
 * share; then the context is read again. This happens before anything is returned, so that later edits do not change the
 * lists.
 */
export async function provePassword(context: DocumentContext, password: Uint8Array): Promise<DocumentContext> {
  const { deployment } = context
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

/** Returns the role of the password of the context. The file must open with it. */
export async function openedAsOf(context: DocumentContext): Promise<OpenedAs> {
  const view = baseOf(await viewOf(context))
  const { openedAs } = await withSource(view, context, (source) => context.deployment.workers.run('unlock', { source }))
  return openedAs
}
