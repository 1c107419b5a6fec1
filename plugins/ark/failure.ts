// Classifies failed responses. Texts take precedence over the status, because the same refusal may have status 400 or
// 409.

import type { Classification, FailedResponse, FailureClass } from '../../core/plugin/failure.js'
import { classifyByStatus } from '../../core/plugin/failure.js'
import { isObject } from '../../core/value/tree.js'

interface Verdict {
  readonly status?: number
  readonly method?: string
  /** Pattern searched in code and message. */
  readonly text?: RegExp
  readonly class: FailureClass
}

/** Classes by pattern. The first row that matches decides; without one, the status does. */
const verdicts: readonly Verdict[] = [
  { text: /version: conflict/i, class: 'stale' },
  { status: 409, method: 'DELETE', class: 'inUse' },
  { status: 409, text: /at most|exceed|quota/i, class: 'invalid' },
  { status: 409, class: 'nameTaken' },
  { status: 400, text: /ResourceConflict|already exists/i, class: 'nameTaken' },
]

export function classify({ method, status, body }: FailedResponse): Classification {
  const { code, message } = messageIn(body)
  const written = `${code ?? ''} ${message ?? ''}`
  const verdict = verdicts.find(
    (row) =>
      (row.status ?? status) === status &&
      (row.method ?? method) === method &&
      (row.text === undefined || row.text.test(written)),
  )
  return {
    class: verdict?.class ?? classifyByStatus(status, body),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  }
}

function messageIn(body: unknown): { readonly code: string | undefined; readonly message: string | undefined } {
  if (!isObject(body)) return { code: undefined, message: text(body) }
  const error = isObject(body['error']) ? body['error'] : body
  return { code: text(error['code']), message: text(error['message']) }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
