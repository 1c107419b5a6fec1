// Checks of JSON text before it is parsed, and refusals of malformed JSON with the position of the error.
import { limits } from '../limits.js'
import { invalidArg, type Refusal } from '../refusals/refusal.js'

/** Smaller texts are parsed at once: `bounded` finds what is wrong with them. */
const lightCharacters = 64 * 1024

/** Throws `InvalidArg` for text that would take too long to parse: nested too deeply, or with too many values. */
export function refuseHeavy(text: string): void {
  if (text.length <= lightCharacters) return
  let [depth, values] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfString(text, at)
    else if (character === comma) values++
    else if (character === openBracket || character === openBrace) {
      values++
      if (++depth > limits.jsonDepthMax + 1)
        throw invalidArg(`JSON body is nested deeper than ${limits.jsonDepthMax} levels`)
    } else if (character === closeBracket || character === closeBrace) depth--
  }
  if (values > limits.jsonValuesMax) throw invalidArg(`JSON body has more than ${limits.jsonValuesMax} values`)
}

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Returns the index of the quotation mark that ends a string, or the length of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) return at
    if (character === backslash) at++
  }
  return text.length
}

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
