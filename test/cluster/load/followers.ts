// Readers of events: each records every change of a layer, and connects again wherever its stream ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { layerPath } from '../../server/changes/support/changing.js'
import { EventReader, type ServerEvent } from '../../server/support/events.js'
import { layerOf, type Place, shownEntries } from './editors.js'
import type { Load } from './load.js'

const reconnectPauseMs = 300

/**
 * Follows a layer from its first change until the change `lastOp`. Resolves to whether that one arrived before `signal` is
 * aborted.
 */
export async function follow(
  load: Load,
  reader: string,
  { place, lastOp, signal }: { readonly place: Place; readonly lastOp: string; readonly signal: AbortSignal },
): Promise<boolean> {
  let last = 0
  while (!signal.aborted) {
    const stream = await open(load, place, last)
    for (let event = await next(stream); event !== undefined; event = await next(stream)) {
      if (event.event !== 'mutation') continue
      const id = Number(event.data['id'])
      const opId = String(event.data['idempotencyKey'])
      last = id
      load.records.push({
        kind: 'event',
        reader,
        layer: layerOf(place.stage, place.layerName),
        id,
        opId,
        entries: entriesOf(event),
      })
      if (opId !== lastOp) continue
      await stream?.close().catch(() => {})
      return true
    }
    await sleep(reconnectPauseMs)
  }
  return false
}

async function open(load: Load, { stage, layerName }: Place, last: number): Promise<EventReader | undefined> {
  const path = `${layerPath({ docId: stage.docId, layerName })}/events`
  return EventReader.open(load.api, path, { 'last-event-id': `${last}` }).catch(() => undefined)
}

/** Returns undefined at the end of the stream, and when nothing, not even a heartbeat, has arrived for long. */
async function next(stream: EventReader | undefined): Promise<ServerEvent | undefined> {
  if (stream?.status !== 200) return undefined
  try {
    return await stream.next()
  } catch {
    await stream.close().catch(() => {})
    return undefined
  }
}

function entriesOf({ data }: ServerEvent) {
  if (data['withheld'] === true) return undefined
  return shownEntries(Object(data['payload']).items)
}
