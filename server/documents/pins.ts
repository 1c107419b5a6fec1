// Version pins of a layer: equal pins mean equal content. A layer without edits has the pins of its document, all equal
// (`base-pins.ts`), so that long-lived browser caches never confuse documents that reuse a public id. Every change
// raises the pins of the content it changed.
import type { CachePins } from '../../workers/contract/mutation-meta.js'
import { basePin, headPin } from '../layers/base-pins.js'
import { unchangedLayer, unchangedPage } from '../layers/moved-pins.js'
import type { DocumentContext } from '../operation/operation.js'
import type { LayerPins, LayerRow } from '../rows/layer.js'
import { LayerMoved } from './layer-moved.js'
import type { ViewContext } from './view.js'

export type PinName = keyof LayerPins | keyof CachePins
export type Pins = Readonly<Partial<Record<PinName, number>>>

export const layerPinsOf = ({ document, layer }: Pick<DocumentContext, 'document' | 'layer'>): LayerPins =>
  layer?.pins ?? unchangedLayer(headPin(document.row))

/** Returns the pins of a page. Throws `LayerMoved` if the page was changed after the layer row was read. */
export async function pagePinsOf(page: number, context: ViewContext): Promise<CachePins> {
  const { deployment, tenant, document, layer, layerName } = context
  const row = layer && (await deployment.tables.pagePins.get([tenant.internal, document.internal, layerName, page]))
  if (row && layer) refuseNewer(row, layer)
  return context.moved?.pagePins.get(page) ?? row ?? unchangedPage(basePin(context))
}

/** Returns the pins of every page that has its own. Throws `LayerMoved` if they are newer than the layer row. */
export async function allPagePinsOf(context: ViewContext): Promise<ReadonlyMap<number, CachePins>> {
  const { deployment, tenant, document, layer, layerName } = context
  const pins = new Map<number, CachePins>()
  if (!layer) return pins
  for await (const { key, row } of deployment.tables.pagePins.range([tenant.internal, document.internal, layerName])) {
    refuseNewer(row, layer)
    pins.set(key[3], row)
  }
  for (const [page, row] of context.moved?.pagePins ?? []) pins.set(page, row)
  return pins
}

/** A pin above `docVersion` belongs to a change that is newer than the layer row. */
function refuseNewer(pins: CachePins, { pins: { docVersion } }: LayerRow): void {
  if (Object.values(pins).some((pin) => pin > docVersion)) throw new LayerMoved()
}

/** Returns the named pins; `page` is required for pins of pages. */
export async function pinsNamed(names: readonly PinName[], context: ViewContext, page?: number): Promise<Pins> {
  const ofLayer = layerPinsOf(context)
  const ofPage = names.some((name) => !(name in ofLayer)) && page !== undefined ? await pagePinsOf(page, context) : {}
  const all: Pins = { ...ofLayer, ...ofPage }
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}

/** True if the layer has edits over its base. */
export const isWorking = (layer: Pick<LayerRow, 'overlay'> | undefined): boolean => (layer?.overlay.objects ?? 0) > 0
