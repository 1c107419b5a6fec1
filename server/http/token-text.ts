// Text in paths: UTF-8 in base64 with `-` and `.` for `+` and `/`, without padding.
import { Refusal } from '../refusals/refusal.js'

export const inTokenText = (text: string): string =>
  Buffer.from(text, 'utf8').toString('base64').replaceAll('+', '-').replaceAll('/', '.').replace(/=+$/, '')

/** Decodes text. Throws `InvalidArg` for a malformed encoding. `what`: name of the text in the message. */
export function tokenText(encoded: string, what: string): string {
  try {
    if (!/^[A-Za-z0-9.-]+$/.test(encoded) || encoded.length % 4 === 1) throw new TypeError()
    const bytes = Buffer.from(encoded.replaceAll('-', '+').replaceAll('.', '/'), 'base64')
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new Refusal('InvalidArg', `The ${what} must be UTF-8 in base64, with "-" and "." for "+" and "/"`)
  }
}
