// `doc.manifest`: the version pins of every part of a layer, page by page, and the audit id they are exact at: all of it
// from one moment.
import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import type { CachePins } from '../../workers/shapes/changes/mutation-meta.js'
import { unchangedPage } from '../changes/pins.js'
import { type DocumentContext, ReadyJson } from '../operation.js'
import type { Manifest } from '../schemas/head.js'
import { transact } from '../storage/transaction.js'
import { countView } from '../tenants/views.js'
import { pagesOf } from './pages.js'
import { allPagePinsOf, firstPin, isWorking, layerPinsOf } from './pins.js'
import { viewOf } from './view.js'

type Shape = Static<typeof Manifest>

export async function sendManifest(context: DocumentContext): Promise<ReadyJson> {
  const bytes = Buffer.from(JSON.stringify(await manifestOf(context)), 'utf8')
  return new ReadyJson(bytes, `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`)
}

/** Throws `LayerMoved`. */
async function manifestOf(context: DocumentContext): Promise<Shape> {
  const { document, layer } = context
  const { base } = await viewOf(context)
  const own = await allPagePinsOf(context)
  const unchanged = unchangedPage(firstPin(document.row))
  const pages = (await pagesOf(context)).map(({ objectNumber }) => ({
    page: { kind: 'objectNumber', objectNumber } as const,
    cache: own.get(objectNumber) ?? unchanged,
  }))
  await countFirstRead(context)
  return {
    ...layerPinsOf(context),
    // No op changes an action by itself; those of fields and widgets move with their lists.
    actionsVersion: firstPin(document.row),
    auditHead: document.row.auditId,
    baseSha: base.sha256,
    layerVersion: layer?.editsVersion ?? 0,
    working: isWorking(layer),
    baseByteLength: base.sizeBytes,
    scopes: scopesOf(context, own),
    protection: null,
    pages,
  }
}

/** What is `base` may also be read without naming the layer. */
function scopesOf(context: DocumentContext, pages: ReadonlyMap<number, CachePins>): Shape['scopes'] {
  const first = firstPin(context.document.row)
  const pins = layerPinsOf(context)
  const scopeOf = (pin: number) => (pin === first ? 'base' : 'layer')
  return {
    content: [...pages.values()].every(({ contentVersion }) => contentVersion === first) ? 'base' : 'layer',
    annotations: scopeOf(pins.annotationsVersion),
    forms: scopeOf(pins.formsVersion),
    layout: scopeOf(pins.layoutVersion),
    attachments: scopeOf(pins.attachmentsVersion),
    metadata: scopeOf(pins.metadataVersion),
    actions: 'base',
  }
}

/** A token's first manifest is a view; share sessions were counted when they were exchanged. */
async function countFirstRead({ caller, deployment, tenant }: DocumentContext): Promise<void> {
  if (caller.kind !== 'document') return
  const { tables, clock } = deployment
  const view = { tenant: tenant.internal, jti: caller.jti, nowMs: clock.now() }
  await transact(deployment, (transaction) => countView(tables, transaction, view))
}
