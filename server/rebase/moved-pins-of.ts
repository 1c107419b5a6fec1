// Computes the pins of a layer after a move: they change with the new versions, the merge, and lost edits.
import type { EffectList, PagePlane } from '../../workers/change/effects.js'
import type { CachePins } from '../../workers/contract/mutation-meta.js'
import type { MergeOutput } from '../../workers/jobs/merge.js'
import { basePin, headPin } from '../layers/base-pins.js'
import { type MovedPins, movePins } from '../layers/moved-pins.js'
import { documentPlanes, effectsOfLayer, joinedEffects } from '../layers/version-effects.js'
import { versionPagesOf } from '../layers/version-pages.js'
import type { DocumentContext } from '../operation/operation.js'
import type { LayerRow } from '../rows/layer.js'

export interface PinsOfMove extends MovedPins {
  readonly effects: EffectList
}

type Merged = Extract<MergeOutput, { readonly state: 'merged' }>

export async function movedPinsOf(context: DocumentContext, layer: LayerRow, merged: Merged): Promise<PinsOfMove> {
  const { deployment, tenant, document, layerName } = context
  const place = [tenant.internal, document.internal, layerName] as const
  const effects = joinedEffects(
    merged.effects,
    await effectsOfVersions(context, layer),
    ...(merged.losesEdits ? [await effectsOfOwn(context, layer)] : []),
  )
  const pages = new Map<number, CachePins>()
  for (const { page } of effects.pages) {
    const row = await deployment.tables.pagePins.get([...place, page])
    if (row) pages.set(page, row)
  }
  const before = { layer: layer.pins, pages, first: basePin({ document, layer }), above: headPin(document.row) }
  return { ...movePins(before, effects), effects }
}

/** Returns the effects of all versions after that of the layer, up to the head. */
async function effectsOfVersions(context: DocumentContext, layer: LayerRow): Promise<EffectList> {
  const { deployment, tenant, document } = context
  const all: EffectList[] = []
  for (let number = layer.version + 1; number <= document.row.headVersion; number++) {
    const version = await deployment.tables.versions.get([tenant.internal, document.internal, number])
    if (version?.effects === undefined) return allEffects(context, layer)
    all.push(version.effects)
  }
  return joinedEffects(...all)
}

/** Returns the effects of the layer's own edits, any of which the merge may have dropped. */
async function effectsOfOwn(context: DocumentContext, layer: LayerRow): Promise<EffectList> {
  const { deployment, tenant, document, layerName } = context
  const owner = { tenant: tenant.internal, document: document.internal, layerName }
  const unchanged = basePin({ document, layer })
  const none = { pages: [], document: [] }
  const own = await effectsOfLayer(deployment.tables, owner, { pins: layer.pins, unchanged, further: none })
  return own ?? allEffects(context, layer)
}

const pagePlanes: PagePlane[] = ['content', 'annotations', 'widgets']

/** Returns effects on every page and plane, for versions or edits whose own effects are not recorded. */
async function allEffects(context: DocumentContext, layer: LayerRow): Promise<EffectList> {
  const { deployment, tenant, document } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  const pages = new Set<number>()
  for (const version of [layer.version, document.row.headVersion]) {
    const recorded = await versionPagesOf(deployment, { owner, version })
    for (const page of recorded?.numbers ?? []) pages.add(page)
  }
  for await (const [, , , page] of deployment.tables.pagePins.keys([owner.tenant, owner.document, context.layerName])) {
    pages.add(page)
  }
  return { pages: [...pages].map((page) => ({ page, planes: pagePlanes })), document: [...documentPlanes] }
}
