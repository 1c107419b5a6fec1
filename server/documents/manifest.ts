// `doc.manifest`: the version pins of every part of a layer, page by page, and the audit id they are exact at.
import type { Static } from 'typebox'
import type { DocumentContext } from '../operation.js'
import type { Manifest } from '../schemas/head.js'
import { transact } from '../storage/transaction.js'
import { countView } from '../tenants/views.js'
import { pagesOf } from './pages.js'
import { firstPin } from './pins.js'
import { viewOf } from './view.js'

export async function manifestOf(context: DocumentContext): Promise<Static<typeof Manifest>> {
  const { row } = context.document
  const view = await viewOf(context)
  const pages = await pagesOf(context)
  await countFirstRead(context)
  const pin = firstPin(row)
  return {
    docVersion: pin,
    layoutVersion: pin,
    metadataVersion: pin,
    actionsVersion: pin,
    attachmentsVersion: pin,
    annotationsVersion: pin,
    formsVersion: pin,
    auditHead: row.auditId,
    baseSha: view.base.sha256,
    layerVersion: 0,
    working: false,
    baseByteLength: row.sizeBytes ?? 0,
    scopes: {
      content: 'base',
      annotations: 'base',
      forms: 'base',
      layout: 'base',
      attachments: 'base',
      metadata: 'base',
      actions: 'base',
    },
    protection: null,
    pages: pages.map(({ objectNumber }) => ({
      page: { kind: 'objectNumber', objectNumber },
      cache: { contentVersion: pin, annotationVersion: pin, widgetVersion: pin },
    })),
  }
}

/** A token's first manifest is a view; share sessions were counted when they were exchanged. */
async function countFirstRead({ caller, deployment, tenant }: DocumentContext): Promise<void> {
  if (caller.kind !== 'document') return
  const { tables, clock } = deployment
  const view = { tenant: tenant.internal, jti: caller.jti, nowMs: clock.now() }
  await transact(deployment, (transaction) => countView(tables, transaction, view))
}
