// Bodies that handlers have sent, and the types of the official client for them.
import type Anthropic from '@anthropic-ai/sdk'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'

export type Beta = Anthropic.Beta
/** A parameter of a method, without what are headers or parts of the path. */
export type Given<Method extends (...given: never[]) => unknown, Index extends number> = Omit<
  NonNullable<Parameters<Method>[Index]>,
  'betas' | 'workspace_id' | 'vault_id' | 'memory_store_id'
>

/** Secrets as the log of the emulator shows them. */
export const hidden = '(sensitive)'

/** Returns the last body of a path, without the marks of the project. */
export async function lastSent(bench: Workbench, end: string): Promise<JsonObject> {
  const { metadata, ...body } = (await bench.sent('POST', end)).at(-1) ?? {}
  const own = Object.entries(isObject(metadata) ? metadata : {}).filter(([key]) => !key.startsWith('agents.'))
  return own.length === 0 ? body : { ...body, metadata: Object.fromEntries(own) }
}
