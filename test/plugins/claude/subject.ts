// Configuration of the workbench for this provider.
import type { Test } from 'tap'
import { claudeEmulator } from '../../../plugins/claude/emulator/index.js'
import { claude } from '../../../plugins/claude/index.js'
import { Workbench } from '../workbench.js'

export const headers = {
  'x-api-key': 'any',
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'managed-agents-2026-04-01',
} as const

export const memoryHeaders = { 'anthropic-beta': 'agent-memory-2026-07-22' } as const

/** Beta header that selects the older form of skills and files. */
export const olderForms = 'managed-agents-2026-04-01,skills-2025-10-02,files-api-2025-04-14'

export const openClaude = (t: Test, beta: string = headers['anthropic-beta']): Promise<Workbench> =>
  Workbench.open(t, {
    provider: claude,
    emulator: claudeEmulator,
    configuration: { api_key: 'any', beta },
    prefix: '/claude/v1',
    headers: { ...headers, 'anthropic-beta': beta },
  })
