// Helpers that send changes of a layer over HTTP.
import type { Answer, Client } from '../../support/client.js'

export interface Layer {
  readonly docId: string
  /** Layer name. Default `default`. */
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

/** An op that works on every document and has a readable effect: `metadata.update`. */
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
  throw new Error(`The response has no changes: ${answer.text}`)
}

/** `applied`, or the code of the refusal, of each entry. */
export const outcomes = (answer: Answer): readonly unknown[] =>
  changesIn(answer).map(({ status, error }) => error?.code ?? status)

/**
 * Returns what a repeated request is answered after its process ended: the whole answer, and of a refusal the code, because
 * its words may quote the request and are stored nowhere.
 */
export function lastingAnswer(text: string): unknown {
  const { changes = [], error, ...others } = JSON.parse(text)
  const codeOf = (refusal: { readonly code: string } | undefined) => refusal && { code: refusal.code }
  const lasting = changes.map((entry: Answered) => ({ ...entry, error: codeOf(entry.error) }))
  return { ...others, changes: lasting, error: codeOf(error) }
}
