// `doc.head`: facts that a viewer needs before it opens a document.
import type { Static } from 'typebox'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentHead } from '../schemas/head.js'
import { layerPinsOf } from './pins.js'
import { baseOf, type View, viewOf, withSource } from './view.js'

/** All permission bits (ISO 32000-2, table 22). */
const allPermissionBits = 0b1111_0011_1100

/**
 * Bits of a file without encryption, which forbids nothing: all from bit 3 up, as an encrypted file that forbids nothing
 * has them. Clients read null as nothing allowed.
 */
const unrestrictedBits = 0xffff_fffc

export async function headOf(context: DocumentContext): Promise<Static<typeof DocumentHead>> {
  const { row } = context.document
  const view = await viewOf(context)
  const openedAs = await openedAsOf(view, context)
  const bits = row.encryption?.state === 'none' ? unrestrictedBits : (row.encryption?.permissionBits ?? null)
  const isKnown = row.encryption?.state !== 'unsupported'
  return {
    id: row.id,
    baseSha: view.base.sha256,
    storageSizeBytes: row.sizeBytes ?? 0,
    docVersion: layerPinsOf(context).docVersion,
    state: row.state,
    encryption: {
      state: row.encryption?.state ?? 'unknown',
      requiresPassword: isKnown ? (row.encryption?.requiresPassword ?? null) : null,
    },
    permissions: {
      known: isKnown,
      bits,
      allAllowed: isKnown
        ? openedAs === 'owner' || bits === null || (bits & allPermissionBits) === allPermissionBits
        : null,
      openedAs,
      securityHandlerRevision: row.encryption?.securityHandlerRevision ?? null,
      canUpgradeToOwner: row.encryption?.state === 'encrypted' && openedAs !== 'owner',
    },
    access:
      view.isLocked && context.password === undefined
        ? { required: true, reasons: ['password'] }
        : { required: false, reasons: [] },
  }
}

async function openedAsOf(view: View, context: DocumentContext): Promise<'none' | 'user' | 'owner' | null> {
  const { row } = context.document
  if (row.encryption?.state === 'none') return 'none'
  if (row.encryption?.state !== 'encrypted' || (view.isLocked && context.password === undefined)) return null
  const { openedAs } = await withSource(baseOf(view), context, (source) =>
    context.deployment.workers.run('unlock', { source }),
  )
  return openedAs
}
