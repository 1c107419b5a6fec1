// What a reader knows of a layer: from lists, and from what events tell since.
import { type Layer, layerPath } from '../changes/support/changing.js'
import type { Client } from './client.js'
import type { ServerEvent } from './events.js'
import { done } from './running-server.js'

export interface Known {
  readonly fields: Map<string, unknown>
  readonly widgets: Map<string, unknown>
  /** All but widgets. */
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
  const { docVersion, formsVersion, annotationsVersion, metadataVersion, layerVersion, working } = manifest
  const named = (items: readonly { readonly ref: object }[]) => new Map(items.map((item) => [keyOf(item), item]))
  return {
    auditHead,
    fields: named(fields),
    widgets: named(widgets),
    annotations: named(annotations.filter(({ subtype }: { subtype: string }) => subtype !== 'widget')),
    metadata: await json('metadata'),
    custom: await json('metadata/custom'),
    pins: { docVersion, formsVersion, annotationsVersion, metadataVersion, layerVersion, working },
    pages: new Map(
      pages.map(({ page, cache }: { page: { objectNumber: number }; cache: object }) => [page.objectNumber, cache]),
    ),
  }
}

/** Of a single write the payload is the one item, without its type. */
export function follow(known: Known, { data }: ServerEvent): void {
  const payload = Object(data['payload'])
  const { items = [payload], meta } = payload
  for (const item of items) {
    for (const field of [item.field, ...(item.fields ?? [])]) if (field?.family) known.fields.set(keyOf(field), field)
    for (const widget of item.widgets ?? []) known.widgets.set(keyOf(widget), widget)
    for (const annotation of [item.annotation, ...(item.annotations ?? [])])
      if (annotation) known.annotations.set(keyOf(annotation), annotation)
    if ((item.type ?? data['kind']) === 'annotations.delete' || data['kind'] === 'annot.delete')
      for (const ref of item.meta.changed) known.annotations.delete(keyOf({ ref }))
    if (item.metadata) known.metadata = item.metadata
    if (item.custom) known.custom = item.custom
  }
  if (meta.cacheDelta === null) return
  const { previousDocVersion, pages, ...moved } = meta.cacheDelta
  if (known.pins['docVersion'] !== previousDocVersion) throw new Error('A change was left out, or came twice')
  known.pins = { ...known.pins, ...moved }
  for (const { page, cache } of pages) known.pages.set(page.objectNumber, cache)
}
