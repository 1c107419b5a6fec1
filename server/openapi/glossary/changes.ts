// Descriptions of members of changes and of their events.
import { opContracts } from '../../../workers/contract/ops/index.js'

const named = (kind: string) => `\`${kind}\``
const kinds = [...new Set(opContracts.flatMap(({ route }) => route?.auditKind ?? []))].toSorted().map(named).join(', ')
const kindMeaning =
  '`change` for a change of `doc.changes`, undos included; for other changes their operation: ' +
  `${kinds}, \`signature.prepare\`, \`signature.complete\`, \`signature.cancel\`; and \`document.versioned\` for a ` +
  'layer that was moved over a new version.'

export const changeTerms = {
  'doc.events.presence': 'True: other readers see this one, and the stream tells who they are.',
  changes: 'Changes; in the response, their outcomes in the same order.',
  opId: 'Id of the change: a repeated request with the same id is not applied again but gets the stored response.',
  undoOf: 'opId of an earlier change of the caller to undo.',
  ops: 'Operations of the change: all of them are applied, or none.',
  'changes.status': '`refused`: the change had no effect; `error` states why.',
  result: 'What the change did.',
  items: 'One for each op, in their order.',
  error: 'Why the change was refused.',
  'error.name': 'Marks the object as an error.',
  'error.code': 'Error code, for programs; see the page of errors.',
  'error.message': 'What is wrong and where, for people.',
  'error.details': 'Details that depend on the code.',
  meta: 'Pages and pins that the change affected.',
  affectedPages: 'Pages whose appearance or content changed.',
  cacheDelta: 'The pins that moved; null if nothing changed.',
  previousDocVersion: 'Counter of the layer before the change.',
  undoable: 'True: the change can be undone by its opId.',
  usageRightsRemoved:
    'The change ended the usage rights of the file (`/Perms /UR3`), which an edit by any other program makes invalid.',
  changed: 'Annotations that were changed, created or removed, starting with the one named in the request.',
  'AppearanceOutcome.action': 'What happened to the appearance.',
  'AppearanceOutcome.changed': 'True: the appearance is different now.',
  skipped: 'Steps that an undo skipped, because their objects were changed since.',
  'SkippedItem.op': 'Type of the skipped op.',
  'SkippedItem.reason':
    '`changed`: it was changed since. `answered`: others replied to it since. `gone`: it, or its page, no longer exists.',
  'SkippedItem.ref': 'The skipped annotation, widget or field, if it is known.',
  expect: 'Expected current values of members; a difference refuses the change (`ChangeConflict`).',
  position: 'New position: at the start, at the end, or next to a named one.',
  before: 'Reference before which they are placed.',
  after: 'Reference after which they are placed.',
  resources: 'Keys of files in the request, by role; the file with the key `k` is the part `resource:k`.',
  appearance: 'What happened to the appearance.',
  'ResourceKeys.appearance': 'Appearance of a stamp: a picture, or a PDF with one page.',
  'ResourceKeys.file': 'File to attach.',
  'resources.source': 'PDF with the pages to insert.',
  type: 'Type of the op.',
  'multipart.body': 'The JSON of the request without files.',
  'multipart.file': 'The file.',
  'AuditEntry.id': 'Id in the audit history of the document.',
  'AuditEntry.ts': 'Time of the change in milliseconds since 1970.',
  'AuditEntry.sub': 'Subject of the token that sent the change; `api` for the API token.',
  'AuditEntry.kind': kindMeaning,
  'AuditEntry.layerName': 'Layer that was changed.',
  'AuditEntry.pageObjectNumber': 'Page of the change; null for none or several.',
  'AuditEntry.affectedPages': 'Object numbers of the pages that changed.',
  'AuditEntry.originSessionId':
    'Fingerprint of the `X-Engine-Session-Id` of the request that made the change, which differs between documents; null without one.',
  'AuditEntry.idempotencyKey': 'opId of the change.',
  'AuditEntry.undoOf': 'opId of the change that it undid; null if it is no undo.',
  presence: 'True: the reader is shown to the others who asked for it, and told about them. Needs `doc.annotate.read`.',
  'AuditEvent.id': 'Id of the event in the audit history of the document, as in `Last-Event-ID`.',
  'AuditEvent.ts': 'Time of the change in milliseconds since 1970.',
  'AuditEvent.sub': 'Subject of the token that sent the change; `api` for the API token.',
  'AuditEvent.kind': kindMeaning,
  'AuditEvent.pageObjectNumber': 'Page of the change; null for none or several.',
  'AuditEvent.affectedPages': 'Object numbers of the pages that changed.',
  'AuditEvent.originSessionId':
    '`X-Engine-Session-Id` of the request that made the change, for the reader who sends the same one; a fingerprint of it for others; null without one.',
  'AuditEvent.idempotencyKey': 'opId of the change.',
  'AuditEvent.undoOf': 'opId of the change that it undid; null if it is no undo.',
  'AuditEvent.withheld': 'True if the reader may not see the content of the change.',
  'AuditEvent.payload': 'Response of the operation; for withheld content only the pins that moved (`meta.cacheDelta`).',
} as const
