// Validates successful responses of providers. A login page, a maintenance page or the response of another server is an
// error, never an empty object or list.
import { type Static, type TSchema, Type } from 'typebox'
import type { HttpResponse } from '../ports/http.js'
import { isObject, type JsonObject } from '../value/tree.js'
import { ApiFailure } from './failure.js'
import type { SchemaChecks } from './schema-checks.js'

/** Schema of objects with an id by which they are read again. Calls with other answers have their own schema. */
export const IdentifiedObject = Type.Object(
  { id: Type.String({ minLength: 1 }) },
  { description: 'an object with an id' },
)

/** Schema of answers of which no member is used: a JSON object. */
export const AnyObject = Type.Record(Type.String(), Type.Unknown(), { description: 'an object' })

const firstWordsLength = 80
/** Maximum number of characters of an answer that are read for a message. */
const shownLengthMax = 100_000

export interface AnsweredRequest {
  /** Method and path, `POST /agents`. */
  readonly operation: string
  /** Host and port to which the request was sent. */
  readonly host: string
  readonly checks: SchemaChecks
  /** Returns what is checked and returned in place of the body. */
  result?(body: JsonObject, response: HttpResponse): JsonObject
  /** True if the answer contains a secret, so that no message shows its words. */
  readonly isSecret?: true
}

/**
 * Parses and checks an answer. Throws `ApiFailure` of class `unexpected`, which is ambiguous: an object may have been
 * created.
 */
export function readAnswer<Schema extends TSchema>(
  response: HttpResponse,
  schema: Schema,
  request: AnsweredRequest,
): JsonObject & Static<Schema> {
  const isEmpty = response.text === '' && response.status === 200
  const body = response.isCut || isEmpty ? undefined : parseBody(response.text)
  // An answer whose content type is text does not come from the API, even if it can be parsed as JSON.
  if (isObject(body) && !isMarkup(response)) {
    const result = request.result?.(body, response) ?? body
    if (request.checks.fits(schema, result)) return result
  }
  throw misfit(response, schema, request)
}

/**
 * Parses the body of an error, which may be anything: gateways send HTML and plain text. `classify` receives it as it
 * is.
 */
export function parseBody(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the schema of a page: the first of the members that exists must be a list of such rows. */
export function pageOf(members: readonly string[], row: TSchema, checks: SchemaChecks): TSchema {
  const description = 'description' in row ? `a list of which every row is ${row.description}` : 'a list'
  return Type.Refine(Type.Object({}, { description }), (page) => {
    const rows = members.map((member) => (page as JsonObject)[member]).find(Array.isArray)
    return rows?.every((each) => checks.fits(row, each)) ?? false
  })
}

function misfit(response: HttpResponse, schema: TSchema, { operation, host, isSecret }: AnsweredRequest): ApiFailure {
  const expected = 'description' in schema ? schema.description : 'another answer'
  const shown = isSecret ? { ...response, text: '(not shown)' } : response
  return new ApiFailure({
    class: 'unexpected',
    status: response.status,
    message: `${describeAnswer(shown, host)} where ${expected} was expected`,
    operation,
    isAmbiguous: true,
  })
}

/** Describes an answer for people: `api.example.com answered 200 text/html ("<html>Please log in")`. */
export function describeAnswer({ status, headers, text, isCut }: HttpResponse, host: string): string {
  const type = headers.get('content-type')?.split(';')[0]?.trim()
  return `${host} answered ${[status, type].filter(Boolean).join(' ')} (${isCut ? 'longer than any answer of the API' : firstWords(text)})`
}

function firstWords(text: string): string {
  const words = text
    .slice(0, 10 * firstWordsLength)
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (words === '') return 'empty'
  return `"${shortened(words, firstWordsLength)}"`
}

/** Shortens a text; `…` marks the cut, so that the start of a secret before it is recognised. */
export function shortened(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}

const isMarkup = ({ headers }: HttpResponse): boolean =>
  /^(text\/(?!json|plain)|image\/|application\/(xhtml|pdf|zip|octet-stream))/i.test(headers.get('content-type') ?? '')

/** Returns the beginning of an answer, as many characters as are shown or parsed. */
export async function firstOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (text.length > shownLengthMax) break
  }
  return text
}
