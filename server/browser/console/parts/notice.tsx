// Says what went wrong, where it went wrong.
import { problemText } from '../problem.js'

export function ProblemNotice({ problem }: { readonly problem: unknown }) {
  if (problem === undefined) return null
  return (
    <p class="notice bad" role="alert">
      {problemText(problem)}
    </p>
  )
}
