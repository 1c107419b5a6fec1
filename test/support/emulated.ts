// Emulators of built-in providers for the conformance suite, one for each world.

import type { RemoteObject, Service, Version } from '../../core/conformance/subject.js'
import { isObject, type JsonObject } from '../../core/value/tree.js'
import type { EmulatedProvider } from '../../plugins/emulator/contract.js'
import { startEmulator } from '../../plugins/start-emulator.js'

export function emulated(...providers: readonly EmulatedProvider[]): () => Promise<Service> {
  return emulatedWith([], ...providers)
}

/** An object that somebody else created before. */
export interface Seed {
  readonly provider: string
  readonly kind: string
  /** API, if the provider has the kind in two. */
  readonly api?: string
  readonly id: string
  /** Members of the create request. Default: as few as possible. */
  readonly body?: JsonObject
}

/** Like `emulated`, in accounts that contain objects. */
export function emulatedWith(
  seeds: readonly Seed[],
  ...providers: readonly EmulatedProvider[]
): () => Promise<Service> {
  return async () => {
    const emulator = await startEmulator({ providers })
    for (const seed of seeds) {
      const { status } = await fetch(`${emulator.url}/_emulator/objects`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(seed),
      })
      if (status !== 201) throw new Error(`the emulator took no ${seed.kind}: ${status}`)
    }
    return { emulatorUrl: emulator.url, objects: () => objectsAt(emulator.url), close: () => emulator.close() }
  }
}

/** `GET /_emulator/objects`. */
export async function objectsAt(url: string): Promise<readonly RemoteObject[]> {
  const answer: unknown = await (await fetch(`${url}/_emulator/objects`)).json()
  const objects = isObject(answer) && Array.isArray(answer['objects']) ? answer['objects'] : []
  return objects.filter(isRemoteObject)
}

/** The version with some of its text replaced, each exactly once. */
export function edited(version: Version, ...replacements: readonly (readonly [from: string, to: string])[]): Version {
  let { text } = version
  for (const [from, to] of replacements) {
    if (text.split(from).length !== 2) throw new Error(`${from} is not once in the text`)
    text = text.replace(from, () => to)
  }
  return { ...version, text }
}

/** The version with other local files. */
export function withFiles(version: Version, files: Readonly<Record<string, string>>): Version {
  return { ...version, files: { ...version.files, ...files } }
}

function isRemoteObject(value: unknown): value is RemoteObject & { readonly provider: string } {
  return isObject(value) && typeof value['kind'] === 'string' && typeof value['id'] === 'string'
}
