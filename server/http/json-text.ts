// Refusals of malformed JSON, with the position of the error.
import { invalidArg, type Refusal } from '../refusals/refusal.js'

/**
 * Returns the refusal. `what`: subject of the message, such as `The body`. The parser quotes the text around the fault,
 * which may be a passphrase; the message contains only the words before that.
 */
export function notJson(text: string, what: string): Refusal {
  const complaint = complaintOf(text)
  const [fault] = complaint.split(/ of JSON input| in JSON|, (?="|\.\.\.")/)
  const position = /at position (\d+)/.exec(complaint)?.[1]
  const place = position === undefined ? '' : ` in ${placeOf(text.slice(0, Number(position)))}`
  return invalidArg(`${what} is not JSON: ${fault}${place}`)
}

function complaintOf(text: string): string {
  try {
    JSON.parse(text)
    return 'A member is named __proto__ or reaches into a prototype'
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

function placeOf(before: string): string {
  const lines = before.split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}
