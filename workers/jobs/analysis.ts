// Judges what changed after a signature or revision (`doc.signatures.analysis`, `doc.versions.analysis`).

import { JobRefusal } from '../contract/job-refusal.js'
import type { ChangeAnalysis } from '../contract/signatures/change-analysis.js'
import type { ProtectionLevel } from '../contract/signatures/protection.js'
import {
  type AnalysedChanges,
  type AnalysisRequest,
  analyseChanges,
  openAnalysis,
} from '../signatures/analysis/analyse-changes.js'
import { NoSuchRevision } from '../signatures/analysis/analysis-error.js'
import type { ReferenceGraph } from '../strict-reader/references/reference-graph.js'
import { loadReferences } from '../strict-reader/references/stored-references.js'
import { NotStrict } from '../strict-reader/strict-document.js'
import type { Job, OnDocument } from './job.js'
import { withStrict } from './strict-source.js'

export interface AnalysisInput extends OnDocument {
  readonly since: { readonly signature: number } | { readonly revision: number }
  readonly until?: number
  readonly level?: ProtectionLevel
  readonly detail?: 'summary' | 'full'
  /** References of the file, stored by the job `references`; without them, every object of the file is read. */
  readonly referencesPath?: string
  /** What the file is, for the answer. */
  readonly basis: ChangeAnalysis['basis']
}

export const analysis: Job<AnalysisInput, ChangeAnalysis> = {
  kind: 'read',
  // Only objects are read; the data of their streams is not.
  deadline: { constantMs: 20_000, perMegabyteMs: 200 },
  run({ source, basis, since, until, level, detail, referencesPath }) {
    const request: Omit<AnalysisRequest, 'document'> = {
      since,
      ...(until !== undefined && { until }),
      ...(level !== undefined && { level }),
      ...(detail !== undefined && { detail }),
    }
    const stored = referencesPath === undefined ? undefined : loadReferences(referencesPath, source.sizeBytes)
    return { ...analysed(source, request, stored), basis }
  },
}

function analysed(
  source: AnalysisInput['source'],
  request: Omit<AnalysisRequest, 'document'>,
  references: ReferenceGraph | undefined,
): AnalysedChanges {
  try {
    return withStrict(source, (document) => analyseChanges({ ...request, document }), { references })
  } catch (error) {
    if (error instanceof NoSuchRevision) {
      throw new JobRefusal(error.reason === 'order' ? 'InvalidArg' : 'NotFound', error.message)
    }
    if (!(error instanceof NotStrict)) throw error
    return openAnalysis(request, 'unreadable-file', error.message)
  }
}
