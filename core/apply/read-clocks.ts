// Measures the clocks of providers that planning sent no request to, before the first create. The journal records the
// start of a create in the provider's time, which the creation times of objects are compared with.

import type { Plan } from '../plan/plan.js'
import { isFailure } from '../plugin/failure.js'
import type { Handler } from '../plugin/handler.js'
import type { Work } from './work.js'

export async function readClocks({ changes }: Plan, { connections, options }: Work): Promise<void> {
  const lists = new Map<string, NonNullable<Handler['list']>>()
  for (const { action, provider, resource } of changes) {
    const list = resource?.handler.list
    if ((action === 'create' || action === 'replace') && list && !connections.clocks.known.has(provider))
      lists.set(provider, list)
  }
  const signal = options.hardStop ?? new AbortController().signal
  await Promise.all(
    [...lists].map(async ([provider, list]) => {
      try {
        for await (const _ of list(connections.call(provider, signal))) break
      } catch (error) {
        // The create that follows meets the same failure and reports it.
        if (!isFailure(error)) throw error
      }
    }),
  )
}
