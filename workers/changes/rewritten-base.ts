// A layer's own base, written anew after something was taken out for good: nothing unreachable is in it, object numbers
// are kept.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Change } from './change.js'

export interface RewrittenBase {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** `garbage=1` drops what nothing refers to and keeps every number; without `compress` pictures would grow manyfold. */
const saveOptions = 'garbage=1,compress'

export function rewriteBase({ pdf }: Change, path: string): RewrittenBase {
  const buffer = pdf.saveToBuffer(saveOptions)
  try {
    const bytes = buffer.asUint8Array()
    writeFileSync(path, bytes)
    return { path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  } finally {
    buffer.destroy()
  }
}
