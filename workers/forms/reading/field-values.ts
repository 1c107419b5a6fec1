// Reads /V and /DV.
import type { PDFObject } from 'mupdf'
import type { ValueEntry } from '../../contract/value-entry.js'
import type { Reading } from '../../document/reading.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsOf, isArray, isName, isStream, isText } from '../../objects/values.js'

export function valueEntryOf(reading: Reading, value: PDFObject | undefined): ValueEntry {
  if (value === undefined) return { kind: 'none' }
  if (!isArray(value)) {
    const text = scalarOf(reading, value)
    return text === undefined ? { kind: 'unsupported' } : { kind: 'scalar', value: text }
  }
  const values = [...elementsOf(value, readingLimits.optionsMax)].map((element) => scalarOf(reading, element))
  reading.budget.takeValues(values.length)
  const texts = values.filter((text) => text !== undefined)
  return texts.length === values.length ? { kind: 'array', values: texts } : { kind: 'unsupported' }
}

/** Reads a text, the name of a state, or a long text in a stream. */
export function scalarOf(reading: Reading, value: PDFObject): string | undefined {
  if (isName(value)) return reading.name(value)
  if (isText(value)) return reading.text(value)
  return isStream(value) ? reading.longText(value, readingLimits.answerCharactersMax) : undefined
}

/** Returns the text of an entry; the first one of a list. */
export function textIn(entry: ValueEntry): string {
  if (entry.kind === 'scalar') return entry.value
  return entry.kind === 'array' ? (entry.values[0] ?? '') : ''
}

export function textsIn(entry: ValueEntry): string[] {
  if (entry.kind === 'scalar') return [entry.value]
  return entry.kind === 'array' ? entry.values : []
}
