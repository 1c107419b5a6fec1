// The difference between two texts, line by line, for people to review.

export interface DiffLine {
  readonly type: 'same' | 'added' | 'removed' | 'skipped'
  /** Number of equal lines left out; `skipped` only. */
  readonly text: string
}

/** Maximum number of comparisons; above it the middle of the texts is shown as removed and added. */
const comparisonsMax = 4_000_000
const contextLines = 2

export function lineDiff(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  const shorter = Math.min(before.length, after.length) - head
  while (tail < shorter && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return withoutLongRuns([
    ...before.slice(0, head).map(same),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...before.slice(before.length - tail).map(same),
  ])
}

function middle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length * after.length > comparisonsMax) return [...before.map(removed), ...after.map(added)]
  const lengths = commonLengths(before, after)
  const lines: DiffLine[] = []
  let left = 0
  let right = 0
  while (left < before.length || right < after.length) {
    const [old, fresh] = [before[left], after[right]]
    if (old !== undefined && old === fresh) {
      lines.push(same(old))
      left++
      right++
    } else if (
      fresh === undefined ||
      (old !== undefined && at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      lines.push(removed(old ?? ''))
      left++
    } else {
      lines.push(added(fresh))
      right++
    }
  }
  return lines
}

/** For every pair of positions, the length of the longest common subsequence of what follows. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let left = before.length - 1; left >= 0; left--) {
    for (let right = after.length - 1; right >= 0; right--) {
      const row = rows[left]
      if (!row) continue
      row[right] =
        before[left] === after[right]
          ? at(rows, left + 1, right + 1) + 1
          : Math.max(at(rows, left + 1, right), at(rows, left, right + 1))
    }
  }
  return rows
}

function at(rows: readonly Uint32Array[], left: number, right: number): number {
  return rows[left]?.[right] ?? 0
}

/** Equal lines far from any difference are folded into one. */
function withoutLongRuns(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = (index: number) =>
    lines.slice(Math.max(0, index - contextLines), index + contextLines + 1).some(({ type }) => type !== 'same')
  const kept: DiffLine[] = []
  let hidden = 0
  for (const [index, line] of lines.entries()) {
    if (line.type === 'same' && !isNear(index)) {
      hidden++
      continue
    }
    if (hidden > 0) kept.push({ type: 'skipped', text: String(hidden) })
    hidden = 0
    kept.push(line)
  }
  if (hidden > 0) kept.push({ type: 'skipped', text: String(hidden) })
  return kept
}

const same = (text: string): DiffLine => ({ type: 'same', text })
const added = (text: string): DiffLine => ({ type: 'added', text })
const removed = (text: string): DiffLine => ({ type: 'removed', text })
