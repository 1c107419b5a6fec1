// State of a layer as known to a client, from lists and later events.
import { type Layer, layerPath } from '../changes/support/changing.js'
import type { Client } from './client.js'
import type { ServerEvent } from './events.js'
import { done } from './running-server.js'

export interface Known {
  readonly fields: Map<string, unknown>
  /** Fields that an event named without their content (calculated ones): they must be read again. */
  readonly named: Set<string>
  readonly widgets: Map<string, unknown>
  /** Widgets that an event named without their content: they must be read again, or are deleted. */
  readonly namedWidgets: Set<string>
  /** Annotations except widgets. */
  readonly annotations: Map<string, unknown>
  metadata: unknown
  custom: unknown
  pins: Readonly<Record<string, unknown>>
  readonly pages: Map<number, unknown>
}

const keyOf = ({ ref }: { readonly ref: object }): string => JSON.stringify(ref)

export async function listed(api: Client, layer: Layer): Promise<Known & { readonly auditHead: number }> {
  const json = async (path: string) => Object(done(await api.get(`${layerPath(layer)}/${path}`)).json())
  const { auditHead, pages, ...manifest } = await json('manifest')
  const { fields, widgets } = await json('form')
  const { annotations } = await json('annotations/items')
  const { docVersion, formsVersion, annotationsVersion, metadataVersion, layoutVersion, layerVersion, working } =
    manifest
  const named = (items: readonly { readonly ref: object }[]) => new Map(items.map((item) => [keyOf(item), item]))
  return {
    auditHead,
    fields: named(fields),
    named: new Set(),
    widgets: named(widgets),
    namedWidgets: new Set(),
    annotations: named(annotations.filter(({ subtype }: { subtype: string }) => subtype !== 'widget')),
    metadata: await json('metadata'),
    custom: await json('metadata/custom'),
    pins: { docVersion, formsVersion, annotationsVersion, metadataVersion, layoutVersion, layerVersion, working },
    pages: new Map(
      pages.map(({ page, cache }: { page: { objectNumber: number }; cache: object }) => [page.objectNumber, cache]),
    ),
  }
}

/** Returns the items of an event: the payload of a write route is its item, without the type. */
export function follow(known: Known, { data }: ServerEvent): void {
  const payload = Object(data['payload'])
  const { items = [payload], meta } = payload
  for (const item of items) {
    for (const ref of item.meta?.changedFields ?? []) known.named.add(keyOf({ ref }))
    for (const field of [item.field, ...(item.fields ?? [])]) {
      if (!field?.family) continue
      known.fields.set(keyOf(field), field)
      known.named.delete(keyOf(field))
    }
    for (const widget of item.meta?.changedWidgets ?? []) known.namedWidgets.add(keyOf(widget))
    for (const widget of item.widgets ?? []) {
      known.widgets.set(keyOf(widget), widget)
      known.namedWidgets.delete(keyOf(widget))
    }
    for (const annotation of [item.annotation, ...(item.annotations ?? [])])
      if (annotation) known.annotations.set(keyOf(annotation), annotation)
    if ((item.type ?? data['kind']) === 'annotations.delete' || data['kind'] === 'annot.delete')
      for (const ref of item.meta.changed) known.annotations.delete(keyOf({ ref }))
    if (item.metadata) known.metadata = item.metadata
    if (item.custom) known.custom = item.custom
  }
  if (meta.cacheDelta === null) return
  const layerVersion = Number(known.pins['layerVersion']) + 1
  if (meta.cacheDelta.layerVersion !== layerVersion) throw new Error('layerVersion does not follow the order of events')
  const { previousDocVersion, pages, ...moved } = meta.cacheDelta
  if (known.pins['docVersion'] !== previousDocVersion) throw new Error('An event is missing or repeated')
  known.pins = { ...known.pins, ...moved }
  for (const { page, cache } of pages) known.pages.set(page.objectNumber, cache)
}

/** Reads fields and widgets that events named without content; those no longer listed are deleted. */
export function readNamed(known: Known, now: Known): void {
  read(known.fields, known.named, now.fields)
  read(known.widgets, known.namedWidgets, now.widgets)
}

function read(known: Map<string, unknown>, named: Set<string>, listed: ReadonlyMap<string, unknown>): void {
  for (const key of named) {
    const item = listed.get(key)
    if (item === undefined) known.delete(key)
    else known.set(key, item)
  }
  named.clear()
}
