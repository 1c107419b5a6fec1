// A server that looks for its files in the wrong place would answer every read with an error, and store new files there.
import { limits } from '../limits.js'
import type { Blobs } from '../storage/blobs.js'
import type { Tables } from '../storage/tables.js'
import { serveProblem } from './problems.js'

/** Throws `serve.other-files` if the rows name files, and the place has none of the first of them. */
export async function refuseMissingFiles(blobs: Blobs, tables: Tables): Promise<void> {
  let missing = 0
  for await (const { key, row } of tables.documents.range([])) {
    const [tenant, document] = key
    if (row.state !== 'ready' || row.readBlob === null) continue
    if ((await blobs.size({ tenant, document, name: row.readBlob })) !== undefined) return
    missing += 1
    if (missing >= limits.claimFilesLookedAt) break
  }
  if (missing === 0) return
  throw serveProblem('serve.other-files', {
    detail: `The records name files, and none of the first ${missing} is where this process looks for them.`,
  })
}
