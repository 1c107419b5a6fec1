// Finds what the signatures of a file forbid in its last revision, before anybody relies on it.
import type { Finding } from '../../contract/signatures/change-analysis.js'
import { NotStrict, type StrictDocument } from '../../strict-reader/strict-document.js'
import { signatureSnapshot } from '../reading/snapshot.js'
import { documentAsOf } from './as-of.js'
import { compareRevisions } from './compare/compare-revisions.js'
import { restraintsOf } from './restraints.js'

/** Signatures that are asked; of a file with more, the first one and the newest ones are. */
const signaturesMax = 16

/** Returns every change since a signature that is forbidden now; none if the structure of the file is ambiguous. */
export function forbiddenIn(document: StrictDocument): readonly Finding[] {
  try {
    const until = document.revisions.at(-1)
    const { revisions } = signatureSnapshot(document)
    const signed = revisions.flatMap(({ index, signatureIndex }) => (signatureIndex === null ? [] : [index]))
    const asked = signed.filter((_, place) => place === 0 || place > signed.length - signaturesMax)
    return asked.flatMap((index) => {
      const since = document.revisions[index]
      if (since === undefined || until === undefined || index === until.index) return []
      const restraints = restraintsOf(signatureSnapshot(documentAsOf(document, index)), undefined)
      const { findings } = compareRevisions(document, since, until, restraints)
      return findings.filter(({ verdict }) => verdict === 'forbidden')
    })
  } catch (error) {
    if (error instanceof NotStrict) return []
    throw error
  }
}
