// Assigns each document its home worker, which is constant during the life of the pool, so that the open copy is found
// again.
import { createHash } from 'node:crypto'

export function homeOf(document: string, workers: number): number {
  return createHash('sha1').update(document).digest().readUInt32BE(0) % workers
}
