// Adds positions in the project file to problems found after it was read.
import type { Source } from '../../core/declaration/load.js'
import { type Diagnostic, Problem } from '../../core/diagnostic.js'
import { parseAddress } from '../../core/value/address.js'

/** Gives diagnostics of a resource without a place the place of its declaration, if there is one. */
export function withPlaces(diagnostics: readonly Diagnostic[], source: Source | undefined): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    if (diagnostic.place || diagnostic.address === undefined) return diagnostic
    const place = source?.place(parseAddress(diagnostic.address))
    return place ? { ...diagnostic, place } : diagnostic
  })
}

/** Runs the work; a problem it throws gets places too. */
export async function placed<Result>(source: Source | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem(withPlaces(error.diagnostics, source), { cause: error })
  }
}
