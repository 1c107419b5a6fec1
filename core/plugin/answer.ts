// Validates successful responses of providers. A login page, a maintenance page or the response of another server is an
// error, never an empty object or list.
import { type Static, type TSchema, Type } from 'typebox'
import type { HttpResponse } from '../ports/http.js'
import { isObject, type JsonObject } from '../value/tree.js'
import { ApiFailure } from './failure.js'
import type { SchemaChecks } from './schema-checks.js'

/** Schema of objects that are found again by their id. Answers of other calls state a schema of their own. */
export const IdentifiedObject = Type.Object(
  { id: Type.String({ minLength: 1 }) },
  { description: 'an object with an id' },
)

/** Schema of answers of which nothing is needed: a JSON object with any members. */
export const AnyObject = Type.Record(Type.String(), Type.Unknown(), { description: 'an object' })

const firstWordsLength = 80
/** Maximum number of characters of an answer that are read for a message. */
const shownLengthMax = 100_000

export interface AnsweredRequest {
  /** Method and path, `POST /agents`. */
  readonly operation: string
  /** Host and port that the request was sent to. */
  readonly host: string
  readonly checks: SchemaChecks
}

/** Throws `ApiFailure` of class `unexpected`; it is ambiguous, because something may have been made. */
export function readAnswer<Schema extends TSchema>(
  response: HttpResponse,
  schema: Schema,
  request: AnsweredRequest,
): JsonObject & Static<Schema> {
  const isEmpty = response.text === '' && response.status === 200
  const body = response.isCut || isEmpty ? undefined : parseBody(response.text)
  // An answer that declares itself text is no JSON of the API, even if it can be parsed.
  if (isObject(body) && !isMarkup(response) && request.checks.fits(schema, body)) return body
  throw misfit(response, schema, request)
}

/** Error answers may be anything: gateways send HTML and plain text, and `classify` sees it as it is. */
export function parseBody(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Whether an error is one of an API that knows what it was asked for: an error object, or a code with its message. Pages,
 * gateways without such a route (`{"message":"no Route matched"}`) and frameworks (`{"status":404,"error":"Not Found"}`) say
 * 404 too.
 */
export function isErrorOfApi(body: unknown): boolean {
  if (!isObject(body)) return false
  const { error, code, message } = body
  return isObject(error) ? Object.values(error).some(isWord) : isWord(code) && isWord(message)
}

/** An object whose first member of these names that is there is a list of such rows. */
export function pageOf(members: readonly string[], row: TSchema, checks: SchemaChecks): TSchema {
  const description = 'description' in row ? `a list of which every row is ${row.description}` : 'a list'
  return Type.Refine(Type.Object({}, { description }), (page) => {
    const rows = members.map((member) => (page as JsonObject)[member]).find(Array.isArray)
    return rows?.every((each) => checks.fits(row, each)) ?? false
  })
}

function misfit(response: HttpResponse, schema: TSchema, { operation, host }: AnsweredRequest): ApiFailure {
  const expected = 'description' in schema ? schema.description : 'another answer'
  return new ApiFailure({
    class: 'unexpected',
    status: response.status,
    message: `${describeAnswer(response, host)} where ${expected} was expected`,
    operation,
    isAmbiguous: true,
  })
}

/** `api.example.com answered 200 text/html ("<html>Please log in")`, for people who look for what answered. */
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
  return `"${cut(words, firstWordsLength)}"`
}

/** Shortens a text; `…` marks the cut, so that the start of a secret before it is recognised. */
export function cut(text: string, lengthMax: number): string {
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text
}

const isMarkup = ({ headers }: HttpResponse): boolean =>
  /^(text\/(?!json|plain)|image\/|application\/(xhtml|pdf|zip|octet-stream))/i.test(headers.get('content-type') ?? '')

const isWord = (value: unknown): boolean => typeof value === 'string' && /\p{L}/u.test(value)

/** Returns the beginning of an answer, as much as is worth showing or parsing. */
export async function firstOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    if (text.length > shownLengthMax) break
  }
  return text
}
