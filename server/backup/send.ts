// `deployment.backup`: sends the archive as a response. The backup starts before the response, so that failures can be
// reported with a status.
import { Readable } from 'node:stream'
import { digestFile } from '../operation/digest-file.js'
import type { BytesAnswer, Context } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { BackupUnfit } from './manifest.js'
import { streamBackup } from './stream.js'

export const archiveType = 'application/x-tar'

export async function sendBackup({ deployment }: Context): Promise<BytesAnswer> {
  const { workers, clock, random } = deployment
  const archive = streamBackup({ storage: deployment, clock, random, digest: (path) => digestFile(workers, path) })
  const bytes = archive[Symbol.asyncIterator]()
  const first = await begun(bytes)
  const body = Readable.from(continued(first, bytes), { objectMode: false })
  const fileName = `steward-${new Date(clock.now()).toISOString().slice(0, 10)}.tar`
  return { contentType: archiveType, body, headers: { 'Content-Disposition': `attachment; filename="${fileName}"` } }
}

async function begun(bytes: AsyncIterator<Uint8Array>): Promise<IteratorResult<Uint8Array>> {
  try {
    return await bytes.next()
  } catch (error) {
    // The message of the error is sent: only the holder of the API token reads it, and can act on it.
    if (error instanceof BackupUnfit) throw new Refusal('Unknown', error.message, { cause: error })
    throw error
  }
}

async function* continued(first: IteratorResult<Uint8Array>, rest: AsyncIterator<Uint8Array>) {
  try {
    for (let part = first; !part.done; part = await rest.next()) yield part.value
  } finally {
    // The temporary copy is also removed if the client disconnects.
    await rest.return?.()
  }
}
