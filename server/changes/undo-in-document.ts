// `documents.undo`: undoes a change of the audit log, whoever made it, for those who look after the document.
import type { Static } from 'typebox'
import { findDocument } from '../documents/find.js'
import type { TenantContext } from '../operation/operation.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { ChangeUndone } from '../schemas/document-history.js'
import { applyChange } from './apply-change.js'
import { changeKind } from './audit-kinds.js'

/** Throws the refusal of the undo. It is a change of the caller, which can be undone in turn. */
export async function undoInDocument(
  id: string,
  { auditId }: { readonly auditId: number },
  context: TenantContext,
): Promise<Static<typeof ChangeUndone>> {
  const { deployment, tenant } = context
  const { tables, random } = deployment
  const document = await findDocument(id, context)
  const row = await tables.audits.get([tenant.internal, document.internal, auditId])
  if (row === undefined) throw notFound('change')
  const { layerName, opId: undoOf } = row
  const layer = await tables.layers.get([tenant.internal, document.internal, layerName])
  const ofDocument = { ...context, document, layerName, layer, password: undefined, openedAs: undefined }
  const opId = random.uuid()
  const work = { kind: 'undo', undoOf, auditId } as const
  const { outcome } = await applyChange(ofDocument, { opId, kind: changeKind, work })
  if (outcome.status === 'applied') return { idempotencyKey: opId, layerName, undoOf }
  const { code, message, details } = outcome.error
  throw new Refusal(code, message, details ? { details } : {})
}
