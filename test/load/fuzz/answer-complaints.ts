// What no answer of the server may be: a bug, an undocumented status, an error without an envelope.
import { refusalCodes } from '../../../server/refusals/refusal-codes.js'
import type { Answer } from '../../server/support/client.js'

/** Statuses that have another code than their own because HTTP defines them. */
const ofInvalidArg = new Set([400, 404, 405, 408, 411, 413, 414, 415, 416, 417, 426, 429, 431])

export function answerComplaints(
  what: string,
  { status, code, headers, text }: Pick<Answer, 'status' | 'code' | 'headers' | 'text'>,
): readonly string[] {
  const told = `${what} was answered with ${status}: ${text.slice(0, 500)}`
  if (status < 400) return []
  const row = Object.entries(refusalCodes).find(([name]) => name === code)?.[1]
  if (code === undefined || row === undefined) return [`${told} (no envelope)`]
  if (code === 'Unknown' || status === 500) return [told]
  if (status === 503 && headers.get('retry-after') === null) return [`${told} (no Retry-After)`]
  const isDocumented = row.status === status || (code === 'InvalidArg' && ofInvalidArg.has(status)) || status === 429
  return isDocumented ? [] : [`${told} (the status is not that of the code)`]
}
