// Uploading bytes: the first step of files, of skills, and of what deployments mount.

import type { Call, Remote } from '../../core/plugin/handler.js'
import type { BailianClient } from './client.js'
import { problem } from './problems.js'
import { scanState } from './scan.js'

const scanPolls = { firstMs: 1_000, growth: 1.5, longestMs: 4_000, giveUpAfterMs: 180_000 } as const

export interface NamedBytes {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Answers at once; the file may still be waiting for its scan. */
export function upload({ client, signal }: Call<BailianClient>, { name, bytes }: NamedBytes): Promise<Remote> {
  const form = new FormData()
  // Other media types have made later registrations fail; the server finds out the type by itself.
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' }), name)
  return client.create('/files', form, { signal })
}

/** The id of a file that other objects may name: those that are not scanned yet are refused everywhere. */
export async function uploadScanned(call: Call<BailianClient>, named: NamedBytes): Promise<string> {
  const { client, signal } = call
  let remote = await upload(call, named)
  let waitedMs = 0
  for (let waitMs: number = scanPolls.firstMs; ; waitMs = Math.min(waitMs * scanPolls.growth, scanPolls.longestMs)) {
    const state = scanState(remote['status'])
    if (state === 'ready') return String(remote['id'])
    if (state !== 'pending') throw refused(named.name, state.failed)
    if (waitedMs >= scanPolls.giveUpAfterMs) throw refused(named.name, 'its security scan does not come to an end')
    await client.clock.sleep(waitMs, signal)
    waitedMs += waitMs
    remote = await client.get(`/files/${String(remote['id'])}`, { signal })
  }
}

function refused(name: string, reason: string): Error {
  return problem('bailian.upload-refused', { detail: `${name} was uploaded, but ${reason}.` })
}
