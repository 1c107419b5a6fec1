// Renders the number and names of the blockers that a destroy with --cascade ends.
import type { FoundBlockers } from '../../core/plan/blockers.js'
import { counted, visible } from './text.js'

export function renderBlockers(found: readonly FoundBlockers[]): string {
  const blocked = new Map<string, string[]>()
  for (const { address, labels } of found)
    for (const label of labels) blocked.set(label, [...(blocked.get(label) ?? []), address])
  const count = counted(blocked.size, 'thing that is not declared here is', 'things that are not declared here are')
  return [
    `${count} in the way and ended (--cascade):`,
    ...[...blocked].map(([label, addresses]) => `  ${visible(label)}, which uses ${addresses.join(' and ')}`),
  ].join('\n')
}
