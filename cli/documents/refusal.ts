// Turns refusals and network failures into problems.
import { documentsProblem } from './problems.js'

type Details = Readonly<Record<string, unknown>>

/** Fixes by the bound of what may be stored. */
const storageFixes: Readonly<Record<string, string>> = {
  tenantBytesMax: 'Delete documents, or raise the bound: agents documents limits --tenant TENANT --bytes-max N',
  shareBytesMax: 'Raise the bound: agents documents limits --tenant TENANT --share SHARE --bytes-max N',
  tokenBytesMax: 'Ask for a new token, or raise --token-bytes-max of "agents serve".',
}

const readHelp = 'Run the command with --help to see what it accepts.'

/** Fixes by error code, for codes that the general advice does not help with. */
const fixes: Readonly<Record<string, string | ((details: Details) => string | undefined)>> = {
  InvalidArg: readHelp,
  Unauthenticated: 'Check the token: --token, else STEWARD_API_TOKEN, else secrets.json of the data folder.',
  NotFound: 'Check the id and --tenant; "agents documents list" lists the documents of a tenant.',
  DocPasswordRequired: 'Set STEWARD_DOCUMENT_PASSWORD, or add --password to be asked for it.',
  DocPasswordIncorrect: 'Check STEWARD_DOCUMENT_PASSWORD, or add --password to be asked for it.',
  PayloadTooLarge: ({ limit }) =>
    storageFixes[String(limit)] ?? 'Take a smaller file, or raise --document-bytes-max of "agents serve".',
  RuntimeUnavailable: 'Try again in a while.',
  TooManyRequests: 'Try again in a while.',
  SigningPending: ({ signingId, expiresAt, heldBy }) =>
    `Wait until ${expiresAt}, or cancel it${heldBy === undefined ? '' : ` (${heldBy} prepared it)`}: agents documents sign ID --cancel ${signingId}`,
  SignatureRefused: ({ check, value }) =>
    check === 'size' ? `Reserve more room: --contents-size ${Math.ceil(Number(value) / 1024) * 1024}` : undefined,
}

/** Options and operands of the commands by the place of a request that they are sent in. */
const optionNames: Readonly<Record<string, string>> = {
  'path /id': 'ID',
  'path /docId': 'ID',
  'path /tenantId': '--tenant',
  'path /layerName': '--layer',
  'query /viewport.width': '--width',
  'body /id': '--id',
  'body /docId': 'ID',
  'body /layerName': '--layer',
  'body /scope': '--scope',
  'body /origins': '--origin',
  'body /displayName': '--name',
  'body /password': 'The passphrase',
  'body /text': '--text',
  'body /regex': '--regex',
  'body /data/color': '--color',
  'body /data/overlayText': '--label',
  'body /storedBytesMax': '--bytes-max',
  'path /shareId': '--share',
  'body /types': '--type',
  'body /url': 'The endpoint',
}

/** Parses the error of a response: code and message under `error`. A proxy's page has none. */
export function refusal(status: number, body: string) {
  const strange = { code: String(status), message: 'the answer is not of a document server', details: {} }
  const { code, message, details } = errorOf(body) ?? strange
  const known = fixes[code]
  const fix = typeof known === 'function' ? known(details) : known
  return documentsProblem('documents.refused', {
    detail: `${code}: ${sentence(inOptions(message, details))}`,
    ...(fix === undefined ? {} : { fix }),
  })
}

/** Names the option that the wrong value was given with, in the place of the member of the request. */
function inOptions(message: string, { part, pointer }: Details): string {
  const place = `${part} ${pointer}`
  const [, option] = Object.entries(optionNames).find(([start]) => `${place}/`.startsWith(`${start}/`)) ?? []
  return option === undefined ? message : message.replace(`In the request, ${place} `, `${option} `)
}

/** Messages of the server end with or without a full stop. */
const sentence = (message: string): string => `${message.replace(/\.+$/, '')}.`

/** Returns undefined if the body is not an error of a document server. */
export const codeOf = (body: string): string | undefined => errorOf(body)?.code

/** An id of dots, which would name something else in an address. */
export const noId = (dots: string) =>
  documentsProblem('documents.refused', { detail: `InvalidArg: ${JSON.stringify(dots)} is no id.`, fix: readHelp })

/** Redirects are not followed: token and password go to the named server only. */
export function redirected(url: URL, target: string) {
  const { origin } = URL.canParse(target, url.href) ? new URL(target, url) : url
  const detail = `${url.origin} redirects to ${origin}. Nothing was sent there.`
  return documentsProblem('documents.refused', { detail, fix: 'If that is the server you mean, name it with --url.' })
}

export function unreachable({ origin }: URL, cause: unknown) {
  return documentsProblem('documents.unreachable', { detail: `${origin} does not answer: ${reasonOf(cause)}.`, cause })
}

interface ServerError {
  readonly code: string
  readonly message: string
  readonly details: Details
}

function errorOf(body: string): ServerError | undefined {
  const { error } = membersOf(parsed(body))
  // Outside of documents the details stand beside the message.
  const { code, message, details, ...others } = membersOf(error)
  return typeof code === 'string' && typeof message === 'string'
    ? { code, message, details: { ...others, ...membersOf(details) } }
    : undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // The body is not an error of a document server; the caller reports that.
    return undefined
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/**
 * Finds the reason of a failed request: fetch only reports "fetch failed", and has one reason for each address of the
 * host.
 */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  return cause instanceof Error ? cause.message : String(cause)
}
