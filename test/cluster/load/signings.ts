// Signs documents: a prepared signature is completed whichever process is asked, and its version is there at the end.
import { createHash } from 'node:crypto'
import { layerPath } from '../../server/changes/support/changing.js'
import { cmsOver, field } from '../../server/signatures/support/signing.js'
import type { Load } from './load.js'
import { documentsPath, expected, unlessUnanswered, upload } from './uploads.js'

/** Signs one new document after the other until the run is over. */
export async function signMany(load: Load, client: string): Promise<void> {
  for (let number = 0; !load.over.aborted; number++) {
    await unlessUnanswered(signOne(load, `${client}-${number}`))
  }
}

async function signOne(load: Load, key: string): Promise<void> {
  const docId = await upload(load, key)
  const path = `${layerPath({ docId })}/signatures`
  const prepared = expected(await load.steady.send(`${path}/prepare`, { method: 'POST', json: field('signature') }))
  const json = { cms: cmsOver(prepared), expectedVersion: prepared.at('/expectedVersion') }
  const completion = `${path}/${prepared.word('/signingId')}/complete`
  // Until the completion is answered, the head is either version.
  load.promises.delete(docId)
  const completed = await load.steady.send(completion, { method: 'POST', json })
  // A clock that was moved lets a signing expire.
  if (completed.code === 'SigningExpired') return
  expected(completed)
  const signed = expected(await load.steady.send(`${documentsPath}/${docId}/download`, {}))
  const sha256 = createHash('sha256').update(signed.bytes).digest('hex')
  load.promises.set(docId, { sha256, path: `${documentsPath}/${docId}/download`, by: 'signature' })
}
