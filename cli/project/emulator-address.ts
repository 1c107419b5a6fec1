// STEWARD_EMULATOR: the only environment variable that redirects calls, so every run that uses it reports it first.

import { problem } from '../line/problems.js'
import type { Output } from '../render/output.js'
import { wrapped } from '../render/text.js'

export const emulatorVariable = 'STEWARD_EMULATOR'

export function emulatorAddress(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const written = env[emulatorVariable]
  if (!written) return undefined
  if (URL.canParse(written) && /^https?:$/.test(new URL(written).protocol)) return written.replace(/\/+$/, '')
  throw problem('cli.bad-emulator', {
    detail: `${emulatorVariable} is "${written}", which is not an http or https URL.`,
  })
}

export function announceEmulator(output: Output, url: string | undefined): void {
  if (url === undefined) return
  output.record({ type: 'emulator', url })
  const line = `Emulator: all calls go to ${url} (${emulatorVariable}), none to a real provider.`
  output.print(`${wrapped(line, output.width)}\n`)
}
