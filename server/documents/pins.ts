// The version pins of a layer: same pin, same content. A layer nobody edited has the pins of its document, which are all
// the second it was created in, so that no browser cache of a year ever meets another document of the same public id; every
// change moves the pins of what it changed.
import type { CachePins } from '../../workers/contract/mutation-meta.js'
import { unchangedLayer, unchangedPage } from '../layers/moved-pins.js'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentRow } from '../rows/document.js'
import type { LayerPins, LayerRow } from '../rows/layer.js'
import { LayerMoved } from './layer-moved.js'
import type { ViewContext } from './view.js'

export type PinName = keyof LayerPins | keyof CachePins
export type Pins = Readonly<Partial<Record<PinName, number>>>

export const firstPin = ({ createdAt }: Pick<DocumentRow, 'createdAt'>): number =>
  Math.max(1, Math.floor(createdAt / 1000))

export const layerPinsOf = ({ document, layer }: Pick<DocumentContext, 'document' | 'layer'>): LayerPins =>
  layer?.pins ?? unchangedLayer(firstPin(document.row))

/** Throws `LayerMoved` when the page was changed since the layer's row was read. */
export async function pagePinsOf(page: number, context: ViewContext): Promise<CachePins> {
  const { deployment, tenant, document, layer, layerName } = context
  const row = layer && (await deployment.tables.pagePins.get([tenant.internal, document.internal, layerName, page]))
  if (row && layer) refuseNewer(row, layer)
  return row ?? unchangedPage(firstPin(document.row))
}

/** Of every page that has pins of its own, from the moment the layer's row is from. Throws `LayerMoved`. */
export async function allPagePinsOf(context: ViewContext): Promise<ReadonlyMap<number, CachePins>> {
  const { deployment, tenant, document, layer, layerName } = context
  const pins = new Map<number, CachePins>()
  if (!layer) return pins
  for await (const { key, row } of deployment.tables.pagePins.range([tenant.internal, document.internal, layerName])) {
    refuseNewer(row, layer)
    pins.set(key[3], row)
  }
  return pins
}

/** A pin that moves takes the number of its change: a greater one is of a change the layer's row knows nothing of. */
function refuseNewer(pins: CachePins, { pins: { docVersion } }: LayerRow): void {
  if (Object.values(pins).some((pin) => pin > docVersion)) throw new LayerMoved()
}

/** The pins of these names as they are for this request; those of a page need to be told which. */
export async function pinsNamed(names: readonly PinName[], context: ViewContext, page?: number): Promise<Pins> {
  const ofLayer = layerPinsOf(context)
  const ofPage = names.some((name) => !(name in ofLayer)) && page !== undefined ? await pagePinsOf(page, context) : {}
  const all: Pins = { ...ofLayer, ...ofPage }
  return Object.fromEntries(names.map((name) => [name, all[name]]))
}

/** Whether the layer holds edits over its base. */
export const isWorking = (layer: Pick<LayerRow, 'overlay'> | undefined): boolean => (layer?.overlay.objects ?? 0) > 0
