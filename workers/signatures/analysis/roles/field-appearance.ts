// Judges appearances of widgets. They must show the value of the field as far as that can be read, because people would take
// another text for the signed value; where the value is the same, as after it was set back, they certainly show it.

import type { StrictStream, StrictValue } from '../../../strict-reader/values.js'
import { dictionaryOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'
import { textOf } from '../../reading/text-string.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, entrySlot, itemsOf, keysOf, type Slot } from '../compare/slot.js'
import { placeProblem } from './drawn-place.js'
import type { FieldFacts } from './field-facts.js'
import { shownText } from './shown-text.js'

/** Judges `/AP` of a widget. */
export function judgeFieldAppearance(comparison: Comparison, entry: Slot, widget: Slot, facts: FieldFacts): void {
  const rule = facts.type === 'Sig' ? 'signature-appearance' : 'field-appearance'
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'widget')
  const streams = streamsOf(comparison, slot)
  const changed = streams.filter((stream) => !comparison.isSame(stream))
  const isChanged = changed.length > 0 || !comparison.isSame(slot) || !comparison.isSame(entry)
  const problem = facts.isLocked
    ? 'The field is locked'
    : (appearanceProblem(comparison, slot, { streams, changed, widget }, facts) ??
      (isChanged ? placeProblem(comparison, widget.after) : undefined))
  if (isChanged) {
    if (facts.isLocked) comparison.findings.refuse('locked-field', slot.place, `Field ${facts.name} is locked`)
    else comparison.allow(rule, slot.place, problem)
  }
  if (slot.after === undefined) return
  const end = { value: slot.after, holder: slot.place.holder, realm: 'content' } as const
  const isFree = problem === undefined && comparison.permits('fill')
  comparison.looseEnds.push(isFree ? { ...end, rule } : end)
}

interface Looks {
  readonly streams: readonly Slot[]
  readonly changed: readonly Slot[]
  readonly widget: Slot
}

/** Returns why the appearance may not change; undefined if it may. */
function appearanceProblem(
  comparison: Comparison,
  slot: Slot,
  { streams, changed, widget }: Looks,
  facts: FieldFacts,
): string | undefined {
  if (facts.type === 'Sig') return facts.isSigned ? undefined : 'No signature was made in the field'
  if (slot.after === undefined && slot.before !== undefined) {
    // An empty look says nothing else than the value; it could be set to nothing as well.
    return facts.isValueChanged ? undefined : 'The appearance was removed'
  }
  if (facts.type !== 'Tx' && facts.type !== 'Ch') {
    // The appearances of a button's states determine what it shows; its value only selects one of them.
    if (!facts.isValueChanged) return 'The value of the field did not change'
    if (slot.before !== undefined) return 'The appearance of a button changed'
    return changed.every(({ after }) => isMark(comparison, ofKind(after, 'stream')))
      ? undefined
      : 'The appearance of a button shows more than a mark'
  }
  // An unchanged stream may show another text if its fonts changed.
  const judged = facts.isValueChanged ? changed : streams
  const results = judged.map(({ after }) => showsValue(comparison, ofKind(after, 'stream'), facts))
  if (results.includes('no')) return 'The appearance shows something other than the value'
  if (changed.some((look) => coversMore(comparison, look, widget, facts))) {
    return 'The appearance covers what is below the field'
  }
  if (!facts.isValueChanged && results.some((result) => result !== 'yes')) {
    return 'The value did not change, and the appearance cannot be compared with it'
  }
  return undefined
}

/** Returns the streams of an appearance dictionary, those of states included. */
function streamsOf(comparison: Comparison, slot: Slot): readonly Slot[] {
  return keysOf(slot).flatMap((key) => {
    const appearance = comparison.follow(entrySlot(slot, key))
    const { before, after } = appearance
    const hasStates = ofKind(after, 'dictionary') !== undefined || ofKind(before, 'dictionary') !== undefined
    return hasStates ? keysOf(appearance).map((state) => comparison.follow(entrySlot(appearance, state))) : [appearance]
  })
}

function showsValue(
  comparison: Comparison,
  stream: StrictStream | undefined,
  { value, options, flags, type, isFormatted, isValueChanged }: FieldFacts,
): 'yes' | 'no' | 'unknown' {
  if (stream === undefined) return 'no'
  const shown = shownText(comparison, stream)
  if (shown.isForeign) return 'no'
  const isPassword = type === 'Tx' && (flags & (1 << 13)) !== 0
  const isList = isListBox(type, flags)
  if (shown.text === undefined || isFormatted || isPassword || isList) return 'unknown'
  const expected = displayedTexts(comparison, value, options).map(withoutSpace)
  if (!expected.every((text) => /^[!-~]*$/.test(text))) return 'unknown'
  const text = withoutSpace(shown.text)
  if (expected.includes(text)) return isValueChanged || (shown.isInOrder && shown.paths.isFrame) ? 'yes' : 'unknown'
  // A value longer than its box may be cut, but nothing else may be shown.
  return expected.some((full) => full.includes(text)) ? 'unknown' : 'no'
}

const isListBox = (type: string | undefined, flags: number): boolean => type === 'Ch' && (flags & (1 << 17)) === 0

/** Returns whether a stream draws only the mark of a button: lines, and one character at most. */
function isMark(comparison: Comparison, stream: StrictStream | undefined): boolean {
  if (stream === undefined) return true
  const { isForeign, text } = shownText(comparison, stream)
  return !isForeign && withoutSpace(text ?? '').length <= 1
}

/** Part of the box that may be painted, with lines and marks, while the page below can be read. */
const coveredMax = 0.25

/** Returns whether an area is painted in a field that had no background, so that it would hide the page below. */
function coversMore(comparison: Comparison, look: Slot, widget: Slot, { type, flags }: FieldFacts): boolean {
  const border = borderWidth(comparison, widget)
  const covers = (stream: StrictStream | undefined) =>
    stream !== undefined && shownText(comparison, stream).paths.covered(border) > coveredMax
  const characteristics = comparison.before.resolve(entryOf(widget.before, 'MK'))
  const hasBackground = itemsOf(comparison.before.resolve(entryOf(characteristics, 'BG'))).length > 0
  return (
    !hasBackground &&
    // The selected options of a list are marked by a filled area.
    !isListBox(type, flags) &&
    covers(ofKind(look.after, 'stream')) &&
    !covers(ofKind(look.before, 'stream'))
  )
}

/** Returns the width of the border that the field had when it was signed, in units of the appearance. */
function borderWidth({ before }: Comparison, widget: Slot): number {
  const style = before.resolve(entryOf(widget.before, 'BS'))
  const width = before.resolve(entryOf(style, 'W') ?? itemsOf(before.resolve(entryOf(widget.before, 'Border')))[2])
  const declared = typeof width === 'number' && width >= 0 ? width : 1
  // A bevel is drawn inside its border, as wide as that.
  const isDouble = ['B', 'I'].includes(nameOf(before.resolve(entryOf(style, 'S'))) ?? '')
  return isDouble ? 2 * declared : declared
}

/** Returns the texts that may be displayed: the value, and the labels of options with this export value. */
function displayedTexts(
  comparison: Comparison,
  value: StrictValue | undefined,
  options: StrictValue | undefined,
): readonly string[] {
  const resolve = (item: StrictValue | undefined) => comparison.after.resolve(item)
  const text = textOf(value ?? null) ?? nameOf(value) ?? ''
  const labels = itemsOf(resolve(options))
    .map((option) => itemsOf(resolve(option)).map((part) => textOf(resolve(part)) ?? ''))
    .filter(([exported]) => exported === text)
    .map(([, label]) => label ?? '')
  return [text, ...labels]
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '')

/** Returns why `/AS` of a button does not follow its value; undefined if it does. */
export function stateProblem(
  comparison: Comparison,
  { after }: Slot,
  widget: Slot,
  { isValueChanged, value, widgetCount }: FieldFacts,
): string | undefined {
  if (!isValueChanged) return 'The value of the field did not change'
  const state = nameOf(after)
  const chosen = nameOf(value) ?? 'Off'
  if (state !== 'Off' && state !== chosen) return 'The state is not the value of the field'
  const appearances = comparison.after.resolve(entryOf(comparison.after.resolve(entryOf(widget.after, 'AP')), 'N'))
  const hasChosen = dictionaryOf(appearances)?.entries.has(chosen) ?? false
  return state === 'Off' && chosen !== 'Off' && hasChosen && widgetCount === 1
    ? 'The state is not the value of the field'
    : undefined
}
