// Why a local path cannot be uploaded, thrown to where the path is written in agents.yaml.
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
