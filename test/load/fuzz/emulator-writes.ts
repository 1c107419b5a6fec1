// Complains about requests that a plan sent to an emulator and that are not reads.
import { isObject } from '../../../core/value/tree.js'

const checked = new Map<string, number>()

/** Complaints about requests since the last call for this emulator. */
export async function emulatorWrites(url: string): Promise<readonly string[]> {
  const log: unknown = await (await fetch(`${url}/_emulator/requests`)).json()
  const requests = isObject(log) && Array.isArray(log['requests']) ? log['requests'] : []
  const seen = checked.get(url) ?? 0
  checked.set(url, requests.length)
  return requests
    .slice(seen)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `a plan sent ${method} ${path}`)
}
