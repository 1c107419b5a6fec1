// Codes of the findings of a check, in one table. Codes never change, because people search for them.
import type { ProblemTable } from '../../core/diagnostic.js'

const restore = 'Restore the newest backup into a new folder: agents documents restore DIR --data NEW.'

export const findingTexts = {
  'data.unknown-row': {
    severity: 'error',
    summary: 'A record of a kind this server does not know',
    example: 'A newer version of the server wrote it, or something else wrote into the folder.',
    fix: 'Check with the version that served the folder last.',
  },
  'data.damaged-row': {
    severity: 'error',
    summary: 'A record is not what was written',
    example: 'document 0mhx/0mhy: /state must be one of pending, ready, failed, deleting.',
    fix: restore,
  },
  'data.missing-row': {
    severity: 'error',
    summary: 'A record names another one that is not there',
    example: 'version 0mhx/0mhy/1: its document is not there.',
    fix: restore,
  },
  'data.missing-index': {
    severity: 'error',
    summary: 'The record that leads to another one is not there, or leads elsewhere',
    example: 'document 0mhx/0mhy: no public id leads to it.',
    fix: restore,
  },
  'data.stale-index': {
    severity: 'error',
    summary: 'A record leads to one that does not lead back',
    example: 'The public id "report" leads to a document with the id "invoice".',
    fix: restore,
  },
  'data.missing-blob': {
    severity: 'error',
    summary: 'A record names a file that is not there',
    example: 'version 0mhx/0mhy/1 names upload.pdf.',
    fix: restore,
  },
  'data.missing-thumbnail': {
    severity: 'warning',
    summary: 'The small picture of a document is missing or damaged',
    example: 'blob 0mhx/0mhy/thumbnail.webp is not there.',
    fix: 'Nothing needs to be done: the server draws it again when it is asked for.',
  },
  'data.wrong-size': {
    severity: 'error',
    summary: 'A file has another size than its record says',
    example: 'upload.pdf has 4096 bytes; its record says 5120.',
    fix: restore,
  },
  'data.wrong-content': {
    severity: 'error',
    summary: 'A file has other content than its record says',
    meaning: 'Its SHA-256 is not the one that was computed when it arrived: the disk, or somebody, changed it.',
    example: 'upload.pdf has another SHA-256 than its record.',
    fix: restore,
  },
  'data.unnamed-blob': {
    severity: 'error',
    summary: 'A file that no record names',
    meaning: 'An upload that was cut off by a crash leaves such a file. It takes room and harms nothing.',
    example: 'blobs/0mhx/0mhy/upload.pdf belongs to nothing.',
    fix: 'Start the server, which removes it.',
  },
  'data.wrong-usage': {
    severity: 'error',
    summary: 'The bytes counted for a tenant or document are not the bytes of its content',
    example: 'Tenant 0mhx is counted with 5120 bytes; its documents have 4096.',
    fix: restore,
  },
} as const satisfies ProblemTable

export type FindingCode = keyof typeof findingTexts

export interface Finding {
  readonly code: FindingCode
  /** The record or file, by internal ids: `version 0mhx…/0mhy…/1`. */
  readonly where: string
  readonly detail: string
  /** Public id of the owner; absent if nothing readable states it. */
  readonly tenantId?: string
  readonly documentId?: string
}

/** True for damage that needs a person's attention. */
export const isError = ({ code }: Pick<Finding, 'code'>): boolean => findingTexts[code].severity === 'error'
