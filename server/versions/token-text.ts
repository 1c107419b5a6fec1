// Text in paths: UTF-8 in base64 with `-` and `.` in place of `+` and `/`, without padding.
import { invalidArg } from '../refusals/refusal.js'

/** Throws `InvalidArg`. */
export function decodeTokenText(token: string, name: string): string {
  const refused = () =>
    invalidArg(`The ${name} in the path is not base64 of UTF-8 text with "-" and "." and no padding`)
  if (!/^[A-Za-z0-9\-.]+$/.test(token) || token.length % 4 === 1) throw refused()
  const bytes = Buffer.from(token.replaceAll('-', '+').replaceAll('.', '/'), 'base64')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw refused()
  }
}

export const encodeTokenText = (text: string): string =>
  Buffer.from(text, 'utf8').toString('base64').replaceAll('+', '-').replaceAll('/', '.').replaceAll('=', '')
