// Emulator for one test, and helpers to inspect it.
import { isObject } from '../../core/value/tree.js'
import { type EmulatorOptions, startEmulator } from '../../plugins/start-emulator.js'

export interface EmulatedObject {
  readonly provider: string
  readonly kind: string
  readonly id: string
  readonly name: string
  readonly archived: boolean
  readonly seeded: boolean
  readonly permanent: boolean
}

export interface LoggedRequest {
  readonly method: string
  readonly path: string
  readonly provider: string
  readonly headers: Readonly<Record<string, string>>
}

export interface TestEmulator {
  readonly url: string
  /** Environment of the program under test. */
  readonly env: Readonly<Record<string, string>>
  /** Returns objects that only the program created, archived ones left out. */
  objects(): Promise<readonly EmulatedObject[]>
  /** True if an object with this id is active; includes inner objects. */
  has(id: string): Promise<boolean>
  requests(): Promise<readonly LoggedRequest[]>
  /** Changes an object, as drift. */
  patch(id: string, body: unknown): Promise<void>
  remove(id: string): Promise<void>
  /** Seeds an object as if somebody else had created it before. */
  seed(object: {
    readonly provider: string
    readonly kind: string
    readonly id: string
    readonly body?: Readonly<Record<string, unknown>>
  }): Promise<void>
  knobs(change: unknown): Promise<void>
  /** Resolves when the emulator holds a write. */
  held(): Promise<void>
}

export async function emulate(
  t: { teardown(clean: () => Promise<void>): void },
  options: EmulatorOptions = {},
): Promise<TestEmulator> {
  const emulator = await startEmulator(options)
  t.teardown(() => emulator.close())
  // The tests know what they ask for.
  const ask = async <Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${emulator.url}/_emulator${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (response.status === 204 ? {} : await response.json()) as Answer
  }
  return {
    url: emulator.url,
    env: { STEWARD_EMULATOR: emulator.url },
    async objects() {
      const { objects } = await ask<{ objects: readonly EmulatedObject[] }>('GET', '/objects')
      return objects.filter(({ archived, seeded }) => !archived && !seeded)
    },
    async has(id) {
      const response = await fetch(`${emulator.url}/_emulator/objects/${encodeURIComponent(id)}`)
      const body: unknown = await response.json()
      return response.ok && !(isObject(body) && typeof body['archived_at'] === 'string')
    },
    requests: async () => (await ask<{ requests: readonly LoggedRequest[] }>('GET', '/requests')).requests,
    patch: async (id, body) => void (await ask('PATCH', `/objects/${id}`, body)),
    remove: async (id) => void (await ask('DELETE', `/objects/${id}`)),
    seed: async (object) => void (await ask('POST', '/objects', object)),
    knobs: async (change) => void (await ask('PUT', '/knobs', change)),
    held: async () => void (await ask('GET', '/held')),
  }
}
