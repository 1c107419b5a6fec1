// `doc.manifest`: version pins of every part of a layer, page by page, and the audit id at which they are exact, all
// from one snapshot.
import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import type { CachePins } from '../../workers/contract/mutation-meta.js'
import { basePin, firstPin, isOfHead } from '../layers/base-pins.js'
import { unchangedPage } from '../layers/moved-pins.js'
import { limits } from '../limits.js'
import type { DocumentContext, ReadyJson } from '../operation/operation.js'
import type { Manifest as ManifestSchema } from '../schemas/head.js'
import { countOpening } from '../tenants/views.js'
import { framed } from './framed.js'
import { pagesOf } from './pages.js'
import { allPagePinsOf, isWorking, layerPinsOf } from './pins.js'
import { protectionOf } from './protection.js'
import { cached } from './read.js'
import { viewOf } from './view.js'

type Manifest = Static<typeof ManifestSchema>
type PagesPart = Pick<Manifest, 'scopes' | 'protection' | 'pages'>

export async function sendManifest(context: DocumentContext): Promise<ReadyJson> {
  const { document, layer } = context
  const { base } = await viewOf(context)
  const start: Omit<Manifest, keyof PagesPart> = {
    ...layerPinsOf(context),
    // No op changes document actions; those of fields and widgets are versioned with their lists.
    actionsVersion: firstPin(document.row),
    auditHead: document.row.auditId,
    baseSha: base.sha256,
    layerVersion: layer?.editsVersion ?? 0,
    working: isWorking(layer),
    baseByteLength: base.sizeBytes,
    merge: mergeOf(context),
  }
  const manifest = await cached(context, { pins: ['docVersion'], parts: ['manifest'] }, async () => ({
    contentType: 'application/json; charset=utf-8',
    bytes: await pagesPart(context),
  }))
  await countOpening(context)
  const before = `${JSON.stringify(start).slice(0, -1)},`
  return framed(context, manifest, {
    before,
    name: createHash('sha256').update(before).digest('base64url').slice(0, 27),
  })
}

/** Returns the result of merging the layer's edits with the newest version; null if no merge was needed. */
function mergeOf({ layer, moved, behind }: DocumentContext): Manifest['merge'] {
  if (behind !== undefined) {
    const { state, reason, auditId = null } = behind
    return { state, reason, auditId, count: 0, conflicts: [] }
  }
  const { auditId = null, count, conflicts } = moved ? { ...moved.conflicts } : { ...layer?.moved }
  if (count === undefined || conflicts === undefined) return null
  return { state: 'merged', reason: null, auditId, count, conflicts }
}

/** Returns the members that depend on page pins, as the tail of a JSON object. Throws `LayerMoved`. */
async function pagesPart(context: DocumentContext): Promise<Uint8Array> {
  const own = await allPagePinsOf(context)
  const unchanged = unchangedPage(basePin(context))
  const pages = await pagesOf(context)
  const part: Omit<PagesPart, 'pages'> = { scopes: scopesOf(context, own), protection: await shownProtection(context) }
  const pieces = [Buffer.from(`${JSON.stringify(part).slice(1, -1)},"pages":[`, 'utf8')]
  for (let first = 0; first < pages.length; first += limits.pagesAtOnce) {
    if (first > 0) await context.deployment.turns.next()
    const some: PagesPart['pages'] = pages.slice(first, first + limits.pagesAtOnce).map((objectNumber) => ({
      page: { kind: 'objectNumber', objectNumber },
      cache: own.get(objectNumber) ?? unchanged,
    }))
    pieces.push(Buffer.from(`${first > 0 ? ',' : ''}${JSON.stringify(some).slice(1, -1)}`, 'utf8'))
  }
  return Buffer.concat([...pieces, Buffer.from(']}', 'utf8')])
}

/** Returns the protection to report; null for a document that is not signed. */
async function shownProtection(context: DocumentContext): Promise<Manifest['protection']> {
  const protection = await protectionOf(context)
  return protection === null || (protection.judged === null && protection.enforced === null) ? null : protection
}

/** Returns the scope of each read: `base` content may also be read without naming the layer. */
function scopesOf(context: DocumentContext, pages: ReadonlyMap<number, CachePins>): Manifest['scopes'] {
  const pins = layerPinsOf(context)
  const scopeOf = (...all: readonly number[]) => (all.every((pin) => isOfHead(pin, context)) ? 'base' : 'layer')
  return {
    content: scopeOf(basePin(context), ...[...pages.values()].map(({ contentVersion }) => contentVersion)),
    annotations: scopeOf(pins.annotationsVersion),
    forms: scopeOf(pins.formsVersion),
    layout: scopeOf(pins.layoutVersion),
    attachments: scopeOf(pins.attachmentsVersion),
    metadata: scopeOf(pins.metadataVersion),
    actions: 'base',
  }
}
