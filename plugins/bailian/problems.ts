// Problems of Bailian that are not reported by rules.
import { fromTable, type ProblemTable } from '../../core/diagnostic.js'
import { sharedProblems, skillProblems } from '../shared/problems.js'

const ownProblems = {
  'bailian.too-many-memory-stores': {
    severity: 'error',
    summary: 'A session mounts too many memory stores',
    example: 'A session of Bailian mounts at most 8 distinct memory stores; these are 9.',
    fix: 'Mount fewer stores.',
  },
  'bailian.upload-refused': {
    severity: 'error',
    summary: 'An upload cannot be used',
    meaning: 'Bailian scans every upload before it can be used.',
    example: 'handbook.md was uploaded, but the scan refused it.',
    fix: 'Change its content, or run the command again if the scan was slow.',
  },
} as const satisfies ProblemTable

export const { problem } = fromTable<keyof typeof ownProblems>(ownProblems)

export const problems: ProblemTable = { ...ownProblems, ...sharedProblems('bailian'), ...skillProblems }
