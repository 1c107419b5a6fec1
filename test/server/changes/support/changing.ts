// Changing a layer over HTTP as clients do, in few words.
import type { Answer, Client } from '../../support/client.js'

export interface Layer {
  readonly docId: string
  /** Default `default`. */
  readonly layerName?: string
}

export const layerPath = ({ docId, layerName = 'default' }: Layer): string => `/v1/docs/${docId}/layers/${layerName}`

export interface Entry {
  readonly opId: string
  readonly ops?: readonly object[]
  readonly undoOf?: string
}

export const change = (api: Client, layer: Layer, ...changes: readonly Entry[]): Promise<Answer> =>
  api.post(`${layerPath(layer)}/changes`, { changes })

/** One op that every document takes, and that shows what it did: `metadata.update`. */
export const titled = (title: string, expect?: string): object => ({
  type: 'metadata.update',
  patch: { title },
  ...(expect === undefined ? {} : { expect: { title: expect } }),
})

export const titleOf = async (api: Client, layer: Layer): Promise<unknown> =>
  (await api.get(`${layerPath(layer)}/metadata`)).at('/title')

interface Answered {
  readonly opId: string
  readonly status: 'applied' | 'refused'
  readonly error?: { readonly code: string }
}

export function changesIn(answer: Answer): readonly Answered[] {
  const changes = answer.at('/changes')
  if (Array.isArray(changes)) return changes
  throw new Error(`There are no changes in ${answer.text}`)
}

/** `applied`, or the code of the refusal, of each entry. */
export const outcomes = (answer: Answer): readonly unknown[] =>
  changesIn(answer).map(({ status, error }) => error?.code ?? status)
