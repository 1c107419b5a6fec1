// Security scans of uploads: they end after some reads, so that tests need not wait.
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import type { EmulatorContext } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'

export type ScanState = 'pending' | 'clean' | 'refused'

/** Begins a scan; it is stored in the hidden part of the scanned object. */
export function newScan({ knobs }: EmulatorContext): JsonObject {
  return { readsLeft: knobs.scans.reads, outcome: knobs.scans.outcome }
}

export function scanState({ hidden }: StoredObject): ScanState {
  const scan = isObject(hidden['scan']) ? hidden['scan'] : {}
  if (Number(scan['readsLeft'] ?? 0) > 0) return 'pending'
  return scan['outcome'] === 'refused' ? 'refused' : 'clean'
}

/** Advances the scan by one read. */
export function scannedOnce(object: StoredObject): StoredObject {
  const scan = isObject(object.hidden['scan']) ? object.hidden['scan'] : {}
  const readsLeft = Math.max(0, Number(scan['readsLeft'] ?? 0) - 1)
  return { ...object, hidden: { ...object.hidden, scan: { ...scan, readsLeft } } }
}
