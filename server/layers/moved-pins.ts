// Computes the version pins that a change moves, from the effects declared by its ops.
import type { DocumentPlane, EffectList, PagePlane } from '../../workers/change/effects.js'
import type { CacheDelta, CachePins } from '../../workers/contract/mutation-meta.js'
import type { LayerPins } from '../rows/layer.js'

export interface PinsBefore {
  readonly layer: LayerPins
  /** Pins of pages that have their own, by object number. */
  readonly pages: ReadonlyMap<number, CachePins>
  /** Pin of unchanged content. */
  readonly first: number
  /** Number that the new pin must exceed. */
  readonly above?: number
}

export interface MovedPins {
  readonly layer: LayerPins
  readonly pages: ReadonlyMap<number, CachePins>
  /** Moved pins; null if nothing moves. */
  readonly delta: Omit<CacheDelta, 'layerVersion'> | null
}

/** Pins by kind of page content. Annotation lists contain widgets too. */
const pagePins: Readonly<Record<PagePlane, readonly (keyof CachePins)[]>> = {
  content: ['contentVersion'],
  annotations: ['annotationVersion'],
  widgets: ['annotationVersion', 'widgetVersion'],
}

const documentPins = {
  layout: 'layoutVersion',
  metadata: 'metadataVersion',
  forms: 'formsVersion',
  annotations: 'annotationsVersion',
  attachments: 'attachmentsVersion',
} as const satisfies Readonly<Record<DocumentPlane, keyof LayerPins>>

/** Returns the pins after a change; every pin that moves gets the new `docVersion`. */
export function movePins(before: PinsBefore, { pages, document }: EffectList): MovedPins {
  if (pages.length === 0 && document.length === 0) return { layer: before.layer, pages: new Map(), delta: null }
  const docVersion = Math.max(before.layer.docVersion, before.above ?? 0) + 1
  const moved = Object.fromEntries(document.map((plane) => [documentPins[plane], docVersion]))
  const movedPages = new Map<number, CachePins>()
  for (const { page, planes } of pages) {
    if (planes.length === 0) continue
    const pins = before.pages.get(page) ?? unchangedPage(before.first)
    const names = planes.flatMap((plane) => pagePins[plane])
    movedPages.set(page, { ...pins, ...Object.fromEntries(names.map((name) => [name, docVersion])) })
  }
  return {
    layer: { ...before.layer, ...moved, docVersion },
    pages: movedPages,
    delta: {
      previousDocVersion: before.layer.docVersion,
      docVersion,
      ...moved,
      pages: [...movedPages].map(([objectNumber, cache]) => ({ page: { kind: 'objectNumber', objectNumber }, cache })),
    },
  }
}

export const unchangedPage = (first: number): CachePins => ({
  contentVersion: first,
  annotationVersion: first,
  widgetVersion: first,
})

export const unchangedLayer = (first: number): LayerPins => ({
  docVersion: first,
  layoutVersion: first,
  metadataVersion: first,
  attachmentsVersion: first,
  annotationsVersion: first,
  formsVersion: first,
})
