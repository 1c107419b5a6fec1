// Nothing of an encrypted document is answered, from any cache, before this request's password is known to open it. Only
// the API token can send one; other credentials need a session of the viewer, which is not part of this server.
import { Refusal } from '../errors.js'
import type { DocumentContext, Operation } from '../operation.js'
import { baseOf, viewOf, withSource } from './view.js'

export async function proveAccess(context: DocumentContext, { answersLocked = false }: Operation): Promise<void> {
  const { deployment, document, password, caller } = context
  const { state, encryption } = document.row
  if (state !== 'ready' || encryption?.state !== 'encrypted') return
  if (password === undefined) {
    if (!encryption.requiresPassword || (answersLocked && caller.kind !== 'api')) return
    throw new Refusal('DocPasswordRequired', 'The document is encrypted and opens with its password only')
  }
  // One that opens without any is asked too: the answer to a wrong password must not depend on what a cache holds.
  // No edit changes what a password opens: the file under the layer tells.
  const view = baseOf(await viewOf(context))
  if (deployment.provenPasswords.isProven(view.key, password)) return
  await withSource(view, context, (source) => deployment.workers.run('unlock', { source }))
  deployment.provenPasswords.remember(view.key, password)
}
