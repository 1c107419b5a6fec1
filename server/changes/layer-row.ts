// Computes the row of a layer after a change; the first change creates the row.
import type { ChangeOutput } from '../../workers/jobs/change.js'
import { unchangedLayer } from '../layers/moved-pins.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import type { LayerRow } from '../rows/layer.js'
import type { StoredBlob } from '../rows/version.js'
import { newInternalId } from '../storage/internal-ids.js'
import type { ChangeState } from './state.js'

/** Identity of the next state, chosen before the worker runs because it stores its open copy under it. */
export interface NextLayer {
  readonly id: string
  readonly token: string
}

export function nextLayerOf({ layer, context }: ChangeState): NextLayer {
  const { clock, random } = context.deployment
  return { id: layer?.id ?? newInternalId(clock.now(), random), token: random.uuid() }
}

export function rowBefore({ layer, document, first, promoted }: ChangeState, id: string, now: number): LayerRow {
  return (
    layer ?? {
      id,
      version: document.headVersion,
      privateBase: null,
      editsVersion: 0,
      token: '',
      ...(document.headPin !== undefined && { basePin: document.headPin }),
      pins: unchangedLayer(first),
      undoFloor: null,
      withheldUntil: 0,
      carriedSince: null,
      hasOwnLayout: false,
      promoted: [...promoted],
      overlay: { objects: 0, bytes: 0 },
      createdAt: now,
      updatedAt: now,
    }
  )
}

export interface LayerChange {
  readonly changed: ChangeOutput
  readonly token: string
  /** Audit id of the change. */
  readonly auditId: number
  readonly pins: LayerRow['pins']
  readonly overlay: LayerRow['overlay']
  /** New private base after a redaction. */
  readonly privateBase: StoredBlob | null
  /** True if the change stores content that its caller did not write in it. */
  readonly carries: boolean
  /** Object numbers that the change has taken. */
  readonly numbers: number
  readonly now: number
}

/** Throws `LayerFull` if more inline annotations were promoted to objects than a layer row can list. */
export function refuseFull({ promoted }: LayerRow, changed: ChangeOutput): void {
  if (promoted.length + changed.promoted.length <= limits.promotedAnnotationsMax) return
  throw new Refusal('LayerFull', 'The layer cannot change any more annotations that the file stores inline')
}

/** True if the change altered visible content: changes without effect are not reported to event streams. */
const isEdit = ({ pins: { docVersion } }: LayerRow, { pins }: LayerChange): boolean => pins.docVersion !== docVersion

export function rowAfter(before: LayerRow, change: LayerChange): LayerRow {
  const { changed, token, auditId, pins, overlay, privateBase, carries, numbers, now } = change
  return {
    ...before,
    token,
    editsVersion: before.editsVersion + (isEdit(before, change) ? 1 : 0),
    pins,
    promoted: [...before.promoted, ...changed.promoted],
    overlay,
    privateBase: privateBase ?? before.privateBase,
    undoFloor: changed.endsUndo ? { auditId, reason: 'final-change' } : before.undoFloor,
    withheldUntil: privateBase ? auditId - 1 : before.withheldUntil,
    ...(before.carriedSince === null && carries && { carriedSince: auditId }),
    numbersTaken: (before.numbersTaken ?? 0) + numbers,
    hasOwnLayout: before.hasOwnLayout || changed.effects.document.includes('layout'),
    updatedAt: now,
  }
}
