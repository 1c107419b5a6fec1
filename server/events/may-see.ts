// Decides whether a reader may see the response of a change: events reveal no more than the reads the caller may use.

import type { Capability } from '../../workers/contract/capabilities.js'
import { holds } from '../auth/document-scope.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import type { AuditRow } from '../rows/audit.js'

/** Capabilities by the domain of an op, as required to see its response. */
const needs: Readonly<Record<string, readonly Capability[]>> = {
  annotations: ['doc.annotate.read'],
  redactions: ['doc.annotate.read'],
  forms: ['doc.forms.read'],
  signatures: ['doc.forms.read'],
  metadata: [],
  pages: [],
}

export function maySee(
  { rights }: Pick<AuditRow, 'rights'>,
  reader: Pick<DocumentContext, 'caller' | 'document' | 'openedAs'>,
): boolean {
  const { caller } = reader
  if (caller.kind === 'api') return true
  if (caller.kind !== 'document') return false
  const permissionBits = permissionBitsIn(reader)
  return rights.every(({ op }) =>
    // Responses of ops of an unlisted domain are hidden.
    needs[op.split('.')[0] ?? '']?.every((needed) => holds(caller.scope, needed, permissionBits)),
  )
}
