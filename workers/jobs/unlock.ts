// Opens a document to verify a password, and returns whether it is the user's or the owner's.

import type { OpenedAs } from '../file/unlock-pdf.js'
import { sharesAnnotations } from '../intake/shared-annotations.js'
import type { Job, OnDocument } from './job.js'

export interface UnlockInput extends OnDocument {
  /** True if the file was locked at ingest, so that the annotations its pages share could not be separated. */
  readonly isUninspected?: boolean
}

export interface UnlockResult {
  readonly openedAs: OpenedAs
  readonly sharesAnnotations: boolean
}

export const unlock: Job<UnlockInput, UnlockResult> = {
  kind: 'read',
  deadline: { constantMs: 5_000, perMegabyteMs: 20 },
  run({ source, isUninspected = false }, { open }) {
    const document = open(source)
    return { openedAs: document.openedAs, sharesAnnotations: isUninspected && sharesAnnotations(document) }
  },
}
