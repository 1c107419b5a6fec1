// Effects of a new version compared with the one before: everything that the signed layer changed, according to its
// pins.
import type { EffectList, PagePlane } from '../../workers/change/effects.js'
import type { CachePins } from '../../workers/contract/mutation-meta.js'
import { limits } from '../limits.js'
import type { LayerPins } from '../rows/layer.js'
import type { VersionEffects } from '../rows/version.js'
import type { Tables } from '../storage/tables.js'
import type { LayerKey } from './content.js'

export interface PinnedContent {
  readonly pins: LayerPins
  /** Pin of unchanged content. */
  readonly unchanged: number
}

/**
 * Returns the effects; undefined for too many pages to list. `further`: effects that the stored pins do not have yet.
 */
export async function effectsOfLayer(
  tables: Pick<Tables, 'pagePins'>,
  { tenant, document, layerName }: LayerKey,
  { pins, unchanged, further }: PinnedContent & { readonly further: EffectList },
): Promise<VersionEffects | undefined> {
  const own: EffectList['pages'][number][] = []
  for await (const { key, row } of tables.pagePins.range([tenant, document, layerName])) {
    const planes = planesOf(row, unchanged)
    if (planes.length > 0) own.push({ page: key[3], planes })
    if (own.length > limits.versionEffectPagesMax) return undefined
  }
  return joinedEffects({ pages: own, document: documentPlanesOf(pins, unchanged) }, further)
}

export function joinedEffects(...all: readonly EffectList[]): VersionEffects {
  const pages = new Map<number, Set<PagePlane>>()
  for (const { page, planes } of all.flatMap((effects) => effects.pages)) {
    pages.set(page, new Set([...(pages.get(page) ?? []), ...planes]))
  }
  return {
    pages: [...pages].map(([page, planes]) => ({ page, planes: [...planes] })),
    document: [...new Set(all.flatMap((effects) => effects.document))],
  }
}

/** Planes of a page whose pins differ from those of unchanged content. */
export function planesOf(pins: CachePins, unchanged: number): PagePlane[] {
  const { contentVersion, annotationVersion, widgetVersion } = pins
  return [
    ...(contentVersion === unchanged ? [] : ['content' as const]),
    ...(widgetVersion === unchanged ? [] : ['widgets' as const]),
    ...(annotationVersion === unchanged || widgetVersion !== unchanged ? [] : ['annotations' as const]),
  ]
}

export const documentPlanes = ['layout', 'metadata', 'forms', 'annotations', 'attachments'] as const

export const documentPlanesOf = (pins: LayerPins, unchanged: number) =>
  documentPlanes.filter((plane) => pins[`${plane}Version`] !== unchanged)
