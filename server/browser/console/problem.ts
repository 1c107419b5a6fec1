// Says in words of the reader what the server refused.
import { ApiError } from '../shared/api-error.js'
import { type TextName, text } from './texts.js'

const reasons: Readonly<Record<string, TextName>> = {
  TokenWrong: 'tokenWrong',
  TokenOfDocument: 'tokenOfDocument',
  Unauthenticated: 'tokenEnded',
  Forbidden: 'forbidden',
  NotFound: 'notFound',
  Offline: 'offline',
  TooManyRequests: 'tooMany',
  Overloaded: 'tooMany',
  PayloadTooLarge: 'tooLarge',
  DocPasswordRequired: 'locked',
  InsufficientStorage: 'diskFull',
  EmptyFile: 'emptyFile',
}

export function problemText(error: unknown): string {
  const { code, message } = error instanceof ApiError ? error : { code: '', message: String(error) }
  const known = reasons[code]
  return known === undefined ? text('failed', { message }) : text(known)
}
