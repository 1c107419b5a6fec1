// Computes the difference between two texts, line by line.
import { diffArrays } from 'diff'

export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'skipped'
  /** Number of equal lines left out; `skipped` only. */
  readonly text: string
}

/** Maximum number of added and removed lines; above it everything is shown as removed and added. */
const editsMax = 2_000
const contextLines = 2

export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const parts = diffArrays([...before], [...after], { maxEditLength: editsMax })
  if (parts === undefined) return [...before.map(removed), ...after.map(added)]
  return withoutLongRuns(parts.flatMap((part) => part.value.map(part.added ? added : part.removed ? removed : same)))
}

/** Folds a run of equal lines far from any difference into one line. */
function withoutLongRuns(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ type }) => type !== 'same')
  const folded: DiffLine[] = []
  let hidden = 0
  for (const [index, line] of lines.entries()) {
    if (line.type === 'same' && !isNear(index)) {
      hidden++
      continue
    }
    if (hidden > 0) folded.push({ type: 'skipped', text: String(hidden) })
    hidden = 0
    folded.push(line)
  }
  if (hidden > 0) folded.push({ type: 'skipped', text: String(hidden) })
  return folded
}

const same = (text: string): DiffLine => ({ type: 'same', text })
const added = (text: string): DiffLine => ({ type: 'added', text })
const removed = (text: string): DiffLine => ({ type: 'removed', text })
