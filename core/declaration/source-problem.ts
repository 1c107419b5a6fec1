// Error with the reason why a local path cannot be uploaded. It is caught where the place of the path in agents.yaml is
// known.
import type { ProblemCode } from './problems.js'

export class SourceProblem extends Error {
  constructor(
    readonly code: ProblemCode,
    detail: string,
    readonly fix?: string,
  ) {
    super(detail)
    this.name = 'SourceProblem'
  }
}
