// Polls a document like a client that waits for its import.
import { setTimeout } from 'node:timers/promises'
import type { Client } from '../../support/client.js'
import { done } from '../../support/running-server.js'
import { documents } from '../../support/uploads.js'

/** Returns the document when it is no longer pending. */
export async function ended(api: Client, id: string, path = documents): Promise<unknown> {
  for (;;) {
    const answer = done(await api.get(`${path}/${id}`))
    if (answer.at('/document/state') !== 'pending') return answer.at('/document')
    await setTimeout(20)
  }
}
