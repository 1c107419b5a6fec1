// Reads the options of combo boxes and lists: texts, or pairs of stored and displayed text (ISO 32000-2, table 234).
import type { PDFObject } from 'mupdf'
import type { FieldOption } from '../../contract/field-option.js'
import type { Reading } from '../../document/reading.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsOf, isArray } from '../../objects/values.js'

export function optionsOf(
  reading: Reading,
  options: PDFObject | undefined,
  selected: readonly string[],
): FieldOption[] {
  if (options === undefined) return []
  const chosen = new Set(selected)
  return [...elementsOf(options, readingLimits.optionsMax)].flatMap((option): FieldOption[] => {
    reading.budget.takeValues(1)
    const value = isArray(option) ? reading.text(option, 0) : reading.text(option)
    if (value === undefined) return []
    const label = isArray(option) ? (reading.text(option, 1) ?? value) : value
    return [{ label, value, selected: chosen.has(value) }]
  })
}
