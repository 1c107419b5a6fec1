// Error codes, one row each: status, meaning, and what a client does about it. Statuses, OpenAPI enums and
// docs/errors.md derive from this table. Clients compare codes, so a code never changes its name.

/** Responses in which a code occurs: those on documents, those on tenants and the deployment, or both. */
type Reach = 'documents' | 'tenants' | 'both'

export interface RefusalRow {
  readonly status: number
  readonly reach: Reach
  readonly meaning: string
  readonly remedy: string
  /**
   * Code sent on documents instead, where clients know a closed list without this one; the status is the same.
   */
  readonly onDocuments?: string
}

const repeat = 'Send the request again under the same key, after Retry-After where that is given.'

export const refusalCodes = {
  InvalidArg: {
    status: 400,
    reach: 'both',
    meaning:
      'The request is not what the operation takes: the message names the first member, parameter or header that is wrong.',
    remedy:
      'Correct the request. With status 405 the path takes another method (`Allow`), with 415 the body has another type, encoding or charset than is taken, with 416 the range lies behind the end of the file, with 417 `Expect` is something else than `100-continue`, with 431 the headers are too long.',
  },
  Conflict: {
    status: 400,
    reach: 'tenants',
    meaning: 'The id or idempotency key stands for something else already.',
    remedy: 'Choose another id or key, or send what was sent under it.',
  },
  UploadMismatch: {
    status: 400,
    reach: 'tenants',
    meaning: 'The bytes have another length or hash than was announced.',
    remedy: 'Announce the length and SHA-256 of the bytes that are sent, and send them again.',
  },
  SourceRefused: {
    status: 400,
    reach: 'tenants',
    meaning: 'The source of an import answered that it does not hand the file out, for example with 404 or 403.',
    remedy: 'Check the URL and whether it has expired; asking again does not help.',
  },
  Unauthenticated: {
    status: 401,
    reach: 'both',
    meaning: 'There is no token, or it is unreadable, expired, revoked or signed with another key.',
    remedy: 'Send a valid token as `Authorization: Bearer …`.',
  },
  Forbidden: {
    status: 403,
    reach: 'both',
    meaning:
      'The token does not allow this: another tenant, document, layer or origin, a missing scope, or a suspended tenant.',
    remedy: 'Use a token whose scope has what the message names.',
  },
  OriginRequired: {
    status: 403,
    reach: 'tenants',
    meaning: 'A share was exchanged without an `Origin` header.',
    remedy: 'Exchange shares from a browser, or send the header.',
  },
  OriginNotAllowed: {
    status: 403,
    reach: 'tenants',
    meaning: 'The share or token is limited to other sites than the one in `Origin`.',
    remedy: 'Add the site to the origins of the share or token.',
  },
  ImportRefused: {
    status: 403,
    reach: 'tenants',
    meaning: 'The import policy of the deployment does not allow this source: its scheme, its address or its size.',
    remedy: 'Ask the operator for `--import-allow` or `--import-http`, or upload the file.',
  },
  ProtectedDocument: {
    status: 403,
    reach: 'documents',
    meaning:
      'A signature in the document forbids the change. Signatures are not evaluated yet, so this server does not send it.',
    remedy: 'Change a copy: download the document and upload it as another one.',
  },
  NotFound: {
    status: 404,
    reach: 'both',
    meaning:
      'What the address or the request names is not there, or is of another tenant. A pin of a versioned read that is no longer current is answered so, too.',
    remedy: 'Read the list or manifest again and use what it names.',
  },
  DocNotOpen: {
    status: 404,
    reach: 'documents',
    meaning:
      'The session in which the document was open is gone. Of engines in the browser; this server has no such sessions.',
    remedy: 'Open the document again.',
  },
  ThumbnailUnavailable: {
    status: 404,
    reach: 'tenants',
    meaning: 'There is no thumbnail: `state` says whether it is pending, locked by a password, or failed.',
    remedy: 'Ask again later while it is pending.',
  },
  NotAwaitingUpload: {
    status: 409,
    reach: 'tenants',
    meaning: 'The document takes no bytes: it is ready, failed, expired, or being imported.',
    remedy: 'Read the document; announce another upload where it is not ready.',
  },
  LayerVersionConflict: {
    status: 409,
    reach: 'documents',
    meaning: 'Another change of the layer came first; nothing was applied.',
    remedy: repeat,
  },
  StaleBase: {
    status: 409,
    reach: 'documents',
    meaning: 'The layer is behind the newest version of the document.',
    remedy: 'Read the manifest and begin again.',
  },
  IdempotencyKeyReused: {
    status: 409,
    reach: 'documents',
    meaning: 'Another change was answered under this key or opId.',
    remedy: 'Give each change a key of its own.',
  },
  UndoUnavailable: {
    status: 409,
    reach: 'documents',
    meaning:
      'The change cannot be undone: `details.reason` says whether it is final, or something final came after it.',
    remedy: 'None; what came before a flatten or redaction stays.',
  },
  ChangeConflict: {
    status: 409,
    reach: 'documents',
    meaning: 'Members are not what `expect` says any more; `details.fields` names them.',
    remedy: 'Read again and decide anew.',
  },
  ObjectNumberUnavailable: {
    status: 409,
    reach: 'documents',
    meaning: 'The object number that was requested is taken, or was not reserved. Numbers cannot be reserved yet.',
    remedy: 'Leave the number out.',
  },
  LayerFull: {
    status: 409,
    reach: 'documents',
    meaning: 'The layer has no object numbers left.',
    remedy: 'Download the layer and upload it as another document.',
  },
  ShareExpired: {
    status: 410,
    reach: 'tenants',
    meaning: 'The share has expired.',
    remedy: 'Ask whoever shared the document for another link.',
  },
  PayloadTooLarge: {
    status: 413,
    reach: 'both',
    meaning:
      'The request, or what it asks for, is above a limit: `limit`, `max` and where it is known `value` say which.',
    remedy: 'Send less at once; the limits are listed in the manual.',
  },
  RangeNotSatisfiable: {
    status: 416,
    reach: 'tenants',
    meaning: 'The byte range lies behind the end of the file.',
    remedy: 'Ask for a range within the size that `Content-Range` says.',
    onDocuments: 'InvalidArg',
  },
  DocPasswordRequired: {
    status: 422,
    reach: 'documents',
    meaning: 'The document is encrypted and the request has no password.',
    remedy: 'Send it in `X-Document-Password`, with the API token.',
  },
  DocPasswordIncorrect: {
    status: 422,
    reach: 'documents',
    meaning: 'The password does not open the document.',
    remedy: 'Ask for the password again.',
  },
  SharePasswordRequired: {
    status: 422,
    reach: 'tenants',
    meaning: 'The share has a passphrase; none or a wrong one was sent.',
    remedy: 'Ask for the passphrase.',
  },
  DocOpenFailed: {
    status: 422,
    reach: 'documents',
    meaning: 'The PDF engine cannot open the file.',
    remedy: 'Upload a file that other readers open.',
  },
  MalformedPdf: {
    status: 422,
    reach: 'documents',
    meaning: 'The file is damaged or too deep for what was asked of it; nothing was changed.',
    remedy: 'Repair the file and upload it again.',
  },
  TooManyRequests: {
    status: 429,
    reach: 'tenants',
    meaning: 'There are too many requests of this kind in a short time, or too many streams at once.',
    remedy: 'Wait as long as Retry-After says.',
    onDocuments: 'RuntimeUnavailable',
  },
  Aborted: {
    status: 499,
    reach: 'both',
    meaning: 'The client disconnected before it was answered; only the log shows it.',
    remedy: repeat,
  },
  Unknown: {
    status: 500,
    reach: 'both',
    meaning: 'The server failed; the message has the id under which its log says why.',
    remedy: 'Report the id to the operator.',
  },
  NotImplemented: {
    status: 501,
    reach: 'both',
    meaning: 'This server does not offer it.',
    remedy: 'None.',
  },
  UpstreamFailed: {
    status: 502,
    reach: 'tenants',
    meaning: 'The source of an import failed, was not reached, or sent less than it declared.',
    remedy: 'Send the request again with the same idempotencyKey; the same document is resumed.',
  },
  RuntimeUnavailable: {
    status: 503,
    reach: 'both',
    meaning:
      'The server is busy, out of room, or shutting down. With status 429 this client asks for too much at once.',
    remedy: repeat,
  },
} as const satisfies Readonly<Record<string, RefusalRow>>

export type RefusalCode = keyof typeof refusalCodes

export const codesOn = (where: 'documents' | 'tenants'): readonly (readonly [string, RefusalRow])[] =>
  Object.entries<RefusalRow>(refusalCodes).filter(([, { reach }]) => reach === 'both' || reach === where)
