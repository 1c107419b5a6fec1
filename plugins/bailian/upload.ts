// Uploads bytes: the first step for files, skills, and mounts of deployments.

import { createHash } from 'node:crypto'
import { isFailure } from '../../core/plugin/failure.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { BailianClient } from './client.js'
import { problem } from './problems.js'
import { isDeleted, scanState } from './scan.js'

const scanPolls = { firstMs: 1_000, growth: 1.5, longestMs: 4_000, giveUpAfterMs: 180_000 } as const

export interface NamedBytes {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Uploads a file. Resolves as soon as it is stored; it may still be scanned. */
export function upload({ client, signal }: Call<BailianClient>, { name, bytes }: NamedBytes): Promise<Remote> {
  const form = new FormData()
  // Other media types made later registrations fail; the server detects the type itself.
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' }), name)
  return client.create('/files', form, { signal })
}

export interface Archive {
  /** Base name of the file, used in messages. */
  readonly baseName: string
  /** Key of one create or one skill: no two uploads with the same key run at once. */
  readonly key: string
  readonly bytes: Uint8Array
}

/**
 * Uploads an archive and calls `use` with its id after the scan. The archive's name contains the key, by which an
 * upload whose response was lost is found again, and one that is no longer needed is removed.
 */
export async function withArchive<Result>(
  call: Call<BailianClient>,
  { baseName, key, bytes }: Archive,
  make: (fileId: string) => Promise<Result>,
): Promise<Result> {
  const name = `${baseName}.${key}.${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.zip`
  const earlier = await archivesFor(call, key)
  const isUsable = (remote: Remote) => remote['filename'] === name && typeof scanState(remote['status']) === 'string'
  const same = earlier.find(isUsable)
  await removeFiles(
    call,
    earlier.filter((remote) => remote !== same),
  )
  const uploaded = same ?? (await upload(call, { name, bytes }))
  try {
    return await make(await scanned(call, uploaded, `${baseName}.zip`))
  } catch (error) {
    if (!(isFailure(error) ? error.isAmbiguous : call.signal.aborted)) await removeFiles(call, [uploaded])
    throw error
  }
}

/** Removes uploads that are no longer needed. */
export async function removeArchives(call: Call<BailianClient>, key: string): Promise<void> {
  await removeFiles(call, await archivesFor(call, key))
}

async function archivesFor({ client, signal }: Call<BailianClient>, key: string): Promise<readonly Remote[]> {
  const found: Remote[] = []
  for await (const remote of client.list('/files', { signal })) {
    const { filename } = remote
    if (typeof filename === 'string' && filename.includes(`.${key}.`) && !isDeleted(remote)) found.push(remote)
  }
  return found
}

async function removeFiles({ client, signal }: Call<BailianClient>, files: readonly Remote[]): Promise<void> {
  for (const { id } of files) {
    try {
      await client.delete(pathTo`/files/${String(id)}`, { signal })
    } catch (error) {
      if (!isFailure(error, 'gone')) throw error
    }
  }
}

/** Waits for the scan and returns the file's id: until then other objects cannot refer to the file. */
async function scanned({ client, signal }: Call<BailianClient>, uploaded: Remote, name: string): Promise<string> {
  let remote = uploaded
  let waitedMs = 0
  for (let waitMs: number = scanPolls.firstMs; ; waitMs = Math.min(waitMs * scanPolls.growth, scanPolls.longestMs)) {
    const state = scanState(remote['status'])
    if (state === 'ready') return String(remote['id'])
    if (state !== 'pending') throw refused(name, state.failed)
    if (waitedMs >= scanPolls.giveUpAfterMs) throw refused(name, 'its security scan does not come to an end')
    await client.clock.sleep(waitMs, signal)
    waitedMs += waitMs
    remote = await client.get(pathTo`/files/${String(remote['id'])}`, { signal })
  }
}

function refused(name: string, reason: string): Error {
  return problem('bailian.upload-refused', { detail: `${name} was uploaded, but ${reason}.` })
}
