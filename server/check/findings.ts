// What a check can find wrong with stored data: one table of codes. They stay the same for ever, because people search for
// them.

export const findingSummaries = {
  'data.unknown-row': 'A record of a kind this server does not know',
  'data.damaged-row': 'A record is not what was written',
  'data.missing-row': 'A record names another one that is not there',
  'data.missing-index': 'The record that leads to another one is not there, or leads elsewhere',
  'data.stale-index': 'A record leads to one that does not lead back',
  'data.missing-blob': 'A record names a file that is not there',
  'data.wrong-size': 'A file has another size than its record says',
  'data.wrong-content': 'A file has other content than its record says',
  'data.unnamed-blob': 'A file that no record names; the next start of the server removes it',
  'data.wrong-usage': 'The bytes counted for a tenant are not the bytes of its versions',
} as const

export type FindingCode = keyof typeof findingSummaries

export interface Finding {
  readonly code: FindingCode
  /** The record or file, by internal ids: `version 0mhx…/0mhy…/1`. */
  readonly where: string
  readonly detail: string
}
