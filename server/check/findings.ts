// Codes of the findings of a check, in one table. Codes never change, because people search for them.
import type { ProblemTable } from '../../core/diagnostic.js'

const restore = 'Restore the newest backup into a new folder: agents documents restore DIR --data NEW.'

export const findingTexts = {
  'data.other-secret': {
    severity: 'error',
    summary: 'A secret is not the one that this data was last served with',
    meaning:
      'With another signing secret, tokens and links made before are refused; with another sealing key, changes of encrypted documents cannot be read.',
    example:
      'The signing secret of STEWARD_SIGNING_SECRET, or of secrets.json, is not the one that this data was last served with.',
    fix: 'Give the server the secrets it had: the variables, or secrets.json in the data folder. To replace the signing secret on purpose, start the server.',
  },
  'data.secret-not-given': {
    severity: 'warning',
    summary: 'A secret that this data was served with is not at hand',
    meaning:
      'Neither its variable nor secrets.json has it, so that the check cannot compare it. A start would make a new one.',
    example: 'The sealing key is neither in STEWARD_SEALING_KEY nor in secrets.json.',
    fix: 'Run the check with the variables of the server. If they are lost: tokens made before will be refused, and changes of encrypted documents cannot be read.',
  },
  'data.sealed-otherwise': {
    severity: 'error',
    summary: 'The sealing key does not open what was sealed',
    meaning:
      'Changes of encrypted documents, and secrets of webhooks, are stored sealed with STEWARD_SEALING_KEY, or with the key of secrets.json. Backups do not have it.',
    example: '12 of 12 sealed records cannot be opened: the sealing key is not the one that sealed them.',
    fix: 'Give the server the sealing key it had: STEWARD_SEALING_KEY, or secrets.json in the data folder. Without it these changes are lost.',
  },
  'data.unknown-row': {
    severity: 'error',
    summary: 'A record has a kind that this server does not know',
    example: 'A newer version of the server wrote it, or something else wrote into the folder.',
    fix: 'Check with the version that served the folder last.',
  },
  'data.damaged-row': {
    severity: 'error',
    summary: 'A record is damaged',
    example: 'document 0mhx/0mhy: /state must be one of pending, ready, failed, deleting.',
    fix: restore,
  },
  'data.missing-row': {
    severity: 'error',
    summary: 'A record refers to a missing record',
    example: 'version 0mhx/0mhy/1: its document is not there.',
    fix: restore,
  },
  'data.missing-index': {
    severity: 'error',
    summary: 'The index entry of a record is missing or points to another record',
    example: 'document 0mhx/0mhy: no public id leads to it.',
    fix: restore,
  },
  'data.stale-index': {
    severity: 'error',
    summary: 'An index entry points to a record that does not match it',
    example: 'The public id "report" leads to a document with the id "invoice".',
    fix: restore,
  },
  'data.missing-blob': {
    severity: 'error',
    summary: 'A record names a missing file',
    example: 'version 0mhx/0mhy/1 names upload.pdf.',
    fix: restore,
  },
  'data.missing-thumbnail': {
    severity: 'warning',
    summary: 'The thumbnail of a document is missing or damaged',
    example: 'blob 0mhx/0mhy/thumbnail.webp is not there.',
    fix: 'No action is needed: the server draws it again on the next request.',
  },
  'data.wrong-size': {
    severity: 'error',
    summary: 'The size of a file differs from its record',
    example: 'upload.pdf has 4096 bytes; its record says 5120.',
    fix: restore,
  },
  'data.wrong-content': {
    severity: 'error',
    summary: 'The content of a file differs from its record',
    meaning: 'Its SHA-256 differs from the one computed when it was stored: the disk or another program changed it.',
    example: 'upload.pdf has another SHA-256 than its record.',
    fix: restore,
  },
  'data.unnamed-blob': {
    severity: 'error',
    summary: 'No record names a file',
    meaning: 'An upload that was interrupted by a crash leaves such a file. It only uses disk space.',
    example: 'blobs/0mhx/0mhy/upload.pdf belongs to nothing.',
    fix: 'Start the server, which removes it.',
  },
  'data.wrong-usage': {
    severity: 'error',
    summary: 'The byte count of a tenant or document differs from the bytes of its content',
    example: 'Tenant 0mhx is counted with 5120 bytes; its documents have 4096.',
    fix: restore,
  },
} as const satisfies ProblemTable

export type FindingCode = keyof typeof findingTexts

export interface Finding {
  readonly code: FindingCode
  /** Name of the record or file, by internal ids: `version 0mhx…/0mhy…/1`. */
  readonly where: string
  readonly detail: string
  /** Public id of the owner; absent if nothing readable states it. */
  readonly tenantId?: string
  readonly documentId?: string
}

/** True for damage that needs a person's attention. */
export const isError = ({ code }: Pick<Finding, 'code'>): boolean => findingTexts[code].severity === 'error'
