// Which worker a document is at home with: the same one as long as the pool lives, so that its open copy is found again.
import { createHash } from 'node:crypto'

export function homeOf(document: string, workers: number): number {
  return createHash('sha1').update(document).digest().readUInt32BE(0) % workers
}
