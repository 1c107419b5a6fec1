// Writes the operators of marked content (ISO 32000-2, 14.6) as a redacted page keeps them.
import type { Change } from '../../change/change.js'
import type { Operator } from '../../content/operators.js'
import { entry, hasKey } from '../../objects/values.js'
import { descriptionKeys } from '../descriptions.js'
import type { Piece } from './pieces.js'
import { type KeptProperties, retainedProperties } from './properties.js'
import type { TextAlternatives } from './text-alternatives.js'
import type { UsedResources } from './used-resources.js'

interface Surroundings {
  readonly change: Change
  readonly used: UsedResources
  readonly alternatives: TextAlternatives
}

const withProperties = new Set(['BDC', 'DP'])

export function markedPiece(operator: Operator, { alternatives, change, used }: Surroundings): Piece {
  const { name, text } = operator
  if (name === 'EMC') alternatives.end()
  if (name === 'BMC') alternatives.begin([])
  if (!withProperties.has(name)) return { text, isMark: true }
  const kept = retainedProperties(change.pdf, operator, entry(used.resources, 'Properties'))
  if (kept.layer !== undefined) dropDescriptions(change, kept.layer)
  const isKept = name === 'BDC' ? alternatives.begin(kept.alternatives) : () => false
  return {
    text: () => kept.written(isKept()),
    isMark: true,
    uses: { category: 'Properties', name: kept.layer?.name },
  }
}

/** A layer has no text alternatives, but readers may take them from its dictionary too. */
function dropDescriptions(change: Change, { object }: NonNullable<KeptProperties['layer']>): void {
  const keys = descriptionKeys.filter((key) => hasKey(object, key))
  if (keys.length === 0) return
  change.touch(object)
  for (const key of keys) object.delete(key)
}
