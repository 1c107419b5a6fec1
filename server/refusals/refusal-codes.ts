// Error codes, one row each: status, meaning, and what a client does about it. Statuses, OpenAPI enums and
// docs/errors.md derive from this table. Clients compare codes, so a code never changes its name.

/** API planes in whose responses a code occurs: documents, tenants with the deployment, or both. */
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

const repeat = 'Send the request again with the same key, after the time in Retry-After if the response has one.'

export const refusalCodes = {
  InvalidArg: {
    status: 400,
    reach: 'both',
    meaning: 'The request is invalid: the message names the first member, parameter or header that is wrong.',
    remedy:
      'Correct the request. Status 405: the path supports other methods (`Allow`); 415: the type, encoding or charset of the body is not supported; 416: the range is beyond the end of the file; 417: `Expect` is not `100-continue`; 431: the headers are too long.',
  },
  Conflict: {
    status: 400,
    reach: 'tenants',
    meaning: 'The id or idempotency key is already used for something else.',
    remedy: 'Choose another id or key, or repeat the request that used it first.',
  },
  UploadMismatch: {
    status: 400,
    reach: 'tenants',
    meaning: 'The length or hash of the bytes differs from the announced one.',
    remedy: 'Announce the length and SHA-256 of the bytes that are sent, and send them again.',
  },
  SourceRefused: {
    status: 400,
    reach: 'tenants',
    meaning: 'The source of an import refused to send the file, for example with 404 or 403.',
    remedy: 'Check the URL and whether it has expired; repeating the request does not help.',
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
    remedy: 'Use a token whose scope contains what the message names.',
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
    meaning: 'The share or token does not allow the site in `Origin`.',
    remedy: 'Add the site to the origins of the share or token.',
  },
  ImportRefused: {
    status: 403,
    reach: 'tenants',
    meaning:
      'The import policy of the deployment does not allow this source: its scheme, its address, its size, or its key in a connection.',
    remedy: 'Ask the operator for `--import-allow` or `--import-http`, or upload the file.',
  },
  ProtectedDocument: {
    status: 403,
    reach: 'documents',
    meaning:
      'A signature in the document forbids the change, or a further signature: a certification, a locked field, or a field that is signed itself.',
    remedy:
      'Change a document without the signature: download an earlier version (`doc.versions.download`), and upload it as another document. A copy of the signed file is protected as well.',
  },
  NotFound: {
    status: 404,
    reach: 'both',
    meaning:
      'The path or the request names something that does not exist or belongs to another tenant. A pin of a versioned read that is no longer current has the same response.',
    remedy: 'Read the list or manifest again and use the ids and pins in it.',
  },
  DocNotOpen: {
    status: 404,
    reach: 'documents',
    meaning:
      'The session in which the document was open has ended. Only engines in the browser send it; this server has no such sessions.',
    remedy: 'Open the document again.',
  },
  ThumbnailUnavailable: {
    status: 404,
    reach: 'tenants',
    meaning: 'There is no thumbnail: `state` states whether it is pending, locked by a password, or failed.',
    remedy: 'Repeat the request later while it is pending.',
  },
  NotAwaitingUpload: {
    status: 409,
    reach: 'tenants',
    meaning: 'The document accepts no bytes: it is ready, failed, expired, or being imported.',
    remedy: 'Read the document; if it is not ready, announce another upload.',
  },
  LayerVersionConflict: {
    status: 409,
    reach: 'documents',
    meaning: 'Another change of the layer was committed first; nothing was applied.',
    remedy: repeat,
  },
  StaleBase: {
    status: 409,
    reach: 'documents',
    meaning: 'The layer is based on an older version of the document.',
    remedy: 'Read the manifest and begin again.',
  },
  SigningPending: {
    status: 409,
    reach: 'documents',
    meaning:
      'The layer is being signed, and cannot be changed until then; `details.expiresAt` states when that ends, `details.heldBy` who prepared it. Only they complete or cancel it, or an API or tenant token does.',
    remedy: 'Complete or cancel the signing, or wait until it expires.',
  },
  SigningExpired: {
    status: 409,
    reach: 'documents',
    meaning: 'The signing was not completed in time; nothing was signed.',
    remedy: 'Prepare the signature again.',
  },
  SigningVersionMismatch: {
    status: 409,
    reach: 'documents',
    meaning:
      'The version differs from the prepared one: `expectedVersion` is wrong, or another signature was published since.',
    remedy:
      'Send the `expectedVersion` of the preparation; if another version is the head since, prepare the signature again.',
  },
  SignatureRefused: {
    status: 409,
    reach: 'documents',
    meaning:
      'The field or the document does not admit the signature (`details.constraint`), or the CMS is not one over the prepared digest (`details.check`).',
    remedy:
      'Meet the constraint or choose another field; for a CMS, sign the prepared digest again: the signing stays open.',
  },
  IdempotencyKeyReused: {
    status: 409,
    reach: 'documents',
    meaning: 'The key or opId was already used for another change.',
    remedy: 'Give each change a key of its own.',
  },
  UndoUnavailable: {
    status: 409,
    reach: 'documents',
    meaning:
      'The change cannot be undone: `details.reason` states whether it is irreversible itself, or an irreversible change was made after it.',
    remedy: 'None; changes before a flatten or redaction cannot be undone.',
  },
  ChangeConflict: {
    status: 409,
    reach: 'documents',
    meaning: 'Current members differ from `expect`; `details.fields` names them.',
    remedy: 'Read the current state and decide again.',
  },
  ObjectNumberUnavailable: {
    status: 409,
    reach: 'documents',
    meaning:
      'The requested object number cannot be used: `details.reason` is `taken` if an object has it, and `not-held` if the caller has not reserved it (or the time is over, or the document has a new version).',
    remedy: 'Reserve numbers with `POST …/object-numbers`, or leave the number out.',
  },
  LayerFull: {
    status: 409,
    reach: 'documents',
    meaning:
      'The layer has no object numbers left, or none that can be reserved (`details.lastObjectNumber`), or the sessions of a share hold as many unused ones as they may; or the layer, or the caller in it, cannot take so many new ones (`details.numbersLeft`).',
    remedy:
      'Make objects without reserved numbers; if that is refused too, download the layer and upload it as another document.',
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
      'The request, or its result, exceeds a limit: `limit` names it, `max` is its maximum and `value`, where it is known, the size of the request.',
    remedy: 'Split the request; the limits are listed in the manual.',
  },
  RangeNotSatisfiable: {
    status: 416,
    reach: 'tenants',
    meaning: 'The byte range is beyond the end of the file.',
    remedy: 'Request a range within the size in `Content-Range`.',
    onDocuments: 'InvalidArg',
  },
  DocPasswordRequired: {
    status: 422,
    reach: 'documents',
    meaning: 'The document is encrypted and the request has no password.',
    remedy: 'Send it in `X-Document-Password`, with the API token; or, with a document token, to `POST …/access` once.',
  },
  DocPasswordIncorrect: {
    status: 422,
    reach: 'documents',
    meaning: 'The password does not open the document.',
    remedy: 'Ask the person for the password again.',
  },
  SharePasswordRequired: {
    status: 422,
    reach: 'tenants',
    meaning: 'The share has a passphrase; none or a wrong one was sent.',
    remedy: 'Ask the person for the passphrase.',
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
    meaning: 'The file is too damaged, or nested too deeply, for the operation; nothing was changed.',
    remedy: 'Repair the file and upload it again.',
  },
  TooManyRequests: {
    status: 429,
    reach: 'tenants',
    meaning: 'The client sent too many requests of this kind in a short time, or has too many streams open.',
    remedy: 'Wait for the time in Retry-After.',
    onDocuments: 'RuntimeUnavailable',
  },
  Aborted: {
    status: 499,
    reach: 'both',
    meaning: 'The client disconnected before the response; only the log shows it.',
    remedy: repeat,
  },
  Unknown: {
    status: 500,
    reach: 'both',
    meaning: 'The server failed; the message contains the request id, under which its log states the reason.',
    remedy: 'Report the id to the operator.',
  },
  NotImplemented: {
    status: 501,
    reach: 'both',
    meaning: 'This server does not support the operation.',
    remedy: 'None.',
  },
  UpstreamFailed: {
    status: 502,
    reach: 'tenants',
    meaning: 'The source of an import failed, could not be reached, or sent fewer bytes than it declared.',
    remedy: 'Send the request again with the same idempotencyKey; the same document is resumed.',
  },
  RuntimeUnavailable: {
    status: 503,
    reach: 'both',
    meaning:
      'The server is busy, out of disk space, or shutting down. Status 429: this client sends too many requests at once, or has tried too many passwords.',
    remedy: repeat,
  },
} as const satisfies Readonly<Record<string, RefusalRow>>

export type RefusalCode = keyof typeof refusalCodes

export const codesOn = (where: 'documents' | 'tenants'): readonly (readonly [string, RefusalRow])[] =>
  Object.entries<RefusalRow>(refusalCodes).filter(([, { reach }]) => reach === 'both' || reach === where)
