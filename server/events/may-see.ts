// Decides whether a reader may see the response of a change: events reveal no more than the reads the caller may use.

import { type Capability, permissionBitsOf } from '../../workers/contract/capabilities.js'
import type { Caller } from '../auth/caller.js'
import { holds } from '../auth/document-scope.js'
import type { AuditRow } from '../rows/audit.js'
import type { DocumentRow } from '../rows/document.js'

/** Capabilities by the domain of an op, as required to see its response. */
const needs: Readonly<Record<string, readonly Capability[]>> = {
  annotations: ['doc.annotate.read'],
  redactions: ['doc.annotate.read'],
  forms: ['doc.forms.read'],
  signatures: ['doc.forms.read'],
  metadata: [],
  pages: [],
}

export interface Reader {
  readonly caller: Caller
  readonly document: Pick<DocumentRow, 'encryption'>
}

export function maySee({ rights }: Pick<AuditRow, 'rights'>, { caller, document }: Reader): boolean {
  if (caller.kind === 'api') return true
  if (caller.kind !== 'document') return false
  const permissionBits = permissionBitsOf(document.encryption)
  return rights.every(({ op }) =>
    // Responses of ops of an unlisted domain are hidden.
    needs[op.split('.')[0] ?? '']?.every((needed) => holds(caller.scope, needed, permissionBits)),
  )
}
