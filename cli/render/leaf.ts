// Renders one planned leaf: old and new value, and multi-line texts as a line diff.
import type { Cause, PlannedLeaf, ShownValue } from '../../core/plan/plan.js'
import { causeTexts } from './actions.js'
import { lineDiff } from './line-diff.js'
import type { Style } from './style.js'
import { counted, visible } from './text.js'

/** Longest value that is shown on one line, in characters. */
const inlineCharactersMax = 72
/** Maximum number of lines shown of a text that is only added or removed. */
const wholeTextLinesMax = 12

/** Shortens the SHA-256 of a local source to its first characters. */
const digest = /^[0-9a-f]{64}$/
const digestCharactersShown = 12

/** `changeCause` is printed beside the address; a leaf prints its own cause only if it differs. */
export function renderLeaf(leaf: PlannedLeaf, changeCause: Cause | undefined, style: Style): readonly string[] {
  const { label, before, after, cause, forcesReplacement } = leaf
  const remarks = [
    ...(forcesReplacement ? ['forces replacement'] : []),
    ...(cause === changeCause || changeCause === undefined ? [] : [causeTexts[cause]]),
  ]
  const remark = remarks.length === 0 ? '' : style.dim(`  # ${remarks.join(', ')}`)
  const name = visible(label)
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const isLong = (lines: readonly string[] | undefined) => lines !== undefined && lines.length > 1
  if (!isLong(old) && !isLong(fresh)) return [`${symbol(leaf, style)} ${name}: ${inline(leaf, style)}${remark}`]
  return [`${symbol(leaf, style)} ${name}:${remark}`, ...block(leaf, old, fresh, style).map((line) => `    ${line}`)]
}

function symbol({ before, after }: PlannedLeaf, style: Style): string {
  if (before.type === 'absent') return style.green('+')
  return after.type === 'absent' ? style.red('-') : style.yellow('~')
}

function inline({ before, after }: PlannedLeaf, style: Style): string {
  if (before.type === 'absent') return style.green(short(after))
  if (after.type === 'absent') return style.red(short(before))
  return `${style.red(short(before))} ${style.dim('->')} ${style.green(short(after))}`
}

function short(shown: ShownValue): string {
  if (shown.type !== 'value') return placeholders[shown.type]
  const { value } = shown
  const isDigest = typeof value === 'string' && digest.test(value)
  return isDigest ? `${value.slice(0, digestCharactersShown)}…` : visible(JSON.stringify(value))
}

const placeholders: Readonly<Record<Exclude<ShownValue['type'], 'value'>, string>> = {
  sensitive: '(sensitive)',
  unknown: '(known after apply)',
  unverified: '(unverified)',
  absent: '(none)',
}

/** Splits a text into lines, and prints another long value as indented JSON. Undefined if there is no value. */
function linesOf(shown: ShownValue): readonly string[] | undefined {
  if (shown.type !== 'value') return undefined
  const { value } = shown
  if (typeof value === 'string') {
    const lines = value.replace(/\n$/, '').split('\n')
    return lines.length > 1 || value.length <= inlineCharactersMax ? lines : [...lines, '']
  }
  const text = JSON.stringify(value)
  return text.length <= inlineCharactersMax ? [text] : JSON.stringify(value, null, 2).split('\n')
}

function block(
  { before, after }: PlannedLeaf,
  old: readonly string[] | undefined,
  fresh: readonly string[] | undefined,
  style: Style,
): readonly string[] {
  if (old && fresh) return diffLines(old, fresh, style)
  const removed = old ? whole(old, '-', style.red) : before.type === 'absent' ? [] : [style.red(`- ${short(before)}`)]
  const added = fresh
    ? whole(fresh, '+', style.green)
    : after.type === 'absent'
      ? []
      : [style.green(`+ ${short(after)}`)]
  return [...removed, ...added]
}

function diffLines(old: readonly string[], fresh: readonly string[], style: Style): readonly string[] {
  return lineDiff(old, fresh).map(({ type, text }) => {
    if (type === 'added') return style.green(`+ ${visible(text)}`)
    if (type === 'removed') return style.red(`- ${visible(text)}`)
    if (type === 'same') return `  ${visible(text)}`
    return style.dim(`  … ${counted(Number(text), 'equal line')}`)
  })
}

function whole(lines: readonly string[], sign: string, paint: (text: string) => string): readonly string[] {
  const shown = lines.slice(0, wholeTextLinesMax).map((line) => paint(`${sign} ${visible(line)}`))
  const rest = lines.length - wholeTextLinesMax
  return rest > 0 ? [...shown, `  … ${counted(rest, 'more line')}`] : shown
}

/** Renders the current values of an object, without any change. */
export function renderLive(
  leaves: readonly { readonly label: string; readonly value: ShownValue }[],
  style: Style,
): string {
  return leaves
    .flatMap(({ label, value }) => {
      const lines = linesOf(value)
      if (lines === undefined || lines.length < 2) return [`${style.bold(visible(label))}: ${short(value)}`]
      return [`${style.bold(visible(label))}:`, ...lines.map((line) => `    ${visible(line)}`)]
    })
    .join('\n')
}
