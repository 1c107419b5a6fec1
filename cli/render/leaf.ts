// Renders one planned leaf: old and new value, and multi-line texts as a line diff.
import type { Cause, PlannedLeaf, ShownValue } from '../../core/plan/plan.js'
import { leafKeys, mapTexts, pathText } from '../../core/value/tree.js'
import { causeTexts } from './actions.js'
import { lineDiff } from './line-diff.js'
import type { Style } from './style.js'
import { countOf, visible } from './text.js'
import { lookOf, withUnseen } from './unseen.js'

/** Longest value that is shown on one line, in characters. */
const inlineCharactersMax = 72
/** Maximum number of lines shown of a text that is only added or removed. */
const wholeTextLinesMax = 12

/** Shortens the SHA-256 of a local source to its first characters. */
const digest = /^[0-9a-f]{64}$/
const digestCharactersShown = 12

export interface LeafView {
  readonly style: Style
  /** Addresses by id, which are shown in place of ids. */
  readonly names: ReadonlyMap<string, string>
}

/** Renders the leaves of a change. Parts that go as a whole are one line each. */
export function renderLeaves(
  leaves: readonly PlannedLeaf[],
  changeCause: Cause | undefined,
  view: LeafView,
): readonly string[] {
  const parts = new Map<string, PlannedLeaf[]>()
  for (const leaf of leaves) if (leaf.part !== undefined) parts.set(leaf.part, [...(parts.get(leaf.part) ?? []), leaf])
  const isWhole = (part: string) => parts.get(part)?.every(({ after }) => after.type === 'absent') ?? false
  return leaves.flatMap((leaf) => {
    const { part, path } = leaf
    if (part === undefined || !isWhole(part)) return renderLeaf(leaf, changeCause, view)
    const own = parts.get(part) ?? []
    if (own[0] !== leaf) return []
    const name = visible(pathText([leafKeys(path)[0] ?? '', part]))
    return [`${view.style.red('-')} ${name}${view.style.dim(`  # with its ${countOf(own.length, 'value')}`)}`]
  })
}

/** `changeCause` is printed beside the address; a leaf prints its own cause only if it differs. */
function renderLeaf(
  planned: PlannedLeaf,
  changeCause: Cause | undefined,
  { style, names }: LeafView,
): readonly string[] {
  const leaf = { ...planned, before: named(planned.before, names), after: named(planned.after, names) }
  const { before, after, cause, forcesReplacement } = leaf
  const remarks = [
    ...(forcesReplacement ? ['forces replacement'] : []),
    ...(cause === changeCause || changeCause === undefined ? [] : [causeTexts[cause]]),
    ...lastLineRemark(before, after),
  ]
  const remark = remarks.length === 0 ? '' : style.dim(`  # ${remarks.join(', ')}`)
  const name = nameOf(planned, names)
  const [old, fresh] = [linesOf(before), linesOf(after)]
  if (!isBlock(old) && !isBlock(fresh)) return [`${symbol(leaf, style)} ${name}: ${inline(leaf, style)}${remark}`]
  return [`${symbol(leaf, style)} ${name}:${remark}`, ...block(leaf, old, fresh, style).map((line) => `    ${line}`)]
}

/** Returns the name of the leaf, with addresses in place of ids: `skills["claude.skill.tone"].version`. */
export function nameOf({ path, label }: Pick<PlannedLeaf, 'path' | 'label'>, names: LeafView['names']): string {
  const named = leafKeys(path).reduce((text, key) => {
    const address = names.get(key)
    return address === undefined ? text : text.replace(`.${key}`, () => `[${JSON.stringify(address)}]`)
  }, label)
  return visible(named)
}

/** Returns the value with addresses in place of ids. */
function named(shown: ShownValue, names: LeafView['names']): ShownValue {
  if (!('value' in shown)) return shown
  return { ...shown, value: mapTexts(shown.value ?? null, (text) => names.get(text) ?? text) }
}

function symbol({ before, after }: PlannedLeaf, style: Style): string {
  if (before.type === 'absent') return style.green('+')
  return after.type === 'absent' ? style.red('-') : style.yellow('~')
}

function inline({ before, after }: PlannedLeaf, style: Style): string {
  if (before.type === 'absent') return style.green(visible(short(after)))
  if (after.type === 'absent') return style.red(visible(short(before)))
  const [old, fresh] = [short(before), short(after)]
  const form = lookOf(old) === lookOf(fresh) ? withUnseen : visible
  return `${style.red(form(old))} ${style.dim('->')} ${style.green(form(fresh))}`
}

/** Returns a remark where a text of several lines only one of whose sides ends with a line break. */
function lastLineRemark(before: ShownValue, after: ShownValue): readonly string[] {
  const [old, fresh] = [before, after].map((one) => (one.type === 'value' ? one.value : undefined))
  if (typeof old !== 'string' || typeof fresh !== 'string') return []
  if (!isBlock(linesOf(before)) && !isBlock(linesOf(after))) return []
  if (old.endsWith('\n') === fresh.endsWith('\n')) return []
  return [old.endsWith('\n') ? 'without a line break at the end' : 'with a line break at the end']
}

function short(shown: ShownValue): string {
  if (shown.type === 'unknown' && shown.value !== undefined)
    return `${JSON.stringify(shown.value)} ${placeholders.unknown}`
  if (shown.type !== 'value') return placeholders[shown.type]
  const { value } = shown
  const isDigest = typeof value === 'string' && digest.test(value)
  return isDigest ? `${value.slice(0, digestCharactersShown)}…` : JSON.stringify(value)
}

const placeholders: Readonly<Record<Exclude<ShownValue['type'], 'value'>, string>> = {
  sensitive: '(sensitive)',
  unknown: '(known after apply)',
  unverified: '(cannot be read)',
  absent: '(none)',
}

/** Splits a text into lines, and prints another long value as indented JSON. Undefined if there is no value. */
function linesOf(shown: ShownValue): readonly string[] | undefined {
  if (shown.type !== 'value') return undefined
  const { value } = shown
  if (typeof value === 'string') return value.replace(/\n$/, '').split('\n')
  const text = JSON.stringify(value)
  return text.length <= inlineCharactersMax ? [text] : JSON.stringify(value, null, 2).split('\n')
}

/** True for lines that are too many, or too long, to be shown beside the name of the leaf. */
function isBlock(lines: readonly string[] | undefined): lines is readonly string[] {
  return lines !== undefined && (lines.length > 1 || (lines[0]?.length ?? 0) > inlineCharactersMax)
}

function block(
  { before, after }: PlannedLeaf,
  old: readonly string[] | undefined,
  fresh: readonly string[] | undefined,
  style: Style,
): readonly string[] {
  if (old && fresh) return diffLines(old, fresh, style)
  const removed = old
    ? wholeText(old, '-', style.red)
    : before.type === 'absent'
      ? []
      : [style.red(`- ${visible(short(before))}`)]
  const added = fresh
    ? wholeText(fresh, '+', style.green)
    : after.type === 'absent'
      ? []
      : [style.green(`+ ${visible(short(after))}`)]
  return [...removed, ...added]
}

function diffLines(old: readonly string[], fresh: readonly string[], style: Style): readonly string[] {
  const lines = lineDiff(old, fresh)
  const looksOf = (wanted: 'added' | 'removed') =>
    new Set(lines.flatMap(({ type, text }) => (type === wanted ? [lookOf(text)] : [])))
  const [added, removed] = [looksOf('added'), looksOf('removed')]
  const shown = (text: string, others: ReadonlySet<string>) =>
    others.has(lookOf(text)) ? withUnseen(text) : visible(text)
  return lines.map(({ type, text }) => {
    if (type === 'added') return style.green(`+ ${shown(text, removed)}`)
    if (type === 'removed') return style.red(`- ${shown(text, added)}`)
    if (type === 'same') return `  ${visible(text)}`
    return style.dim(`  … ${countOf(Number(text), 'equal line')}`)
  })
}

function wholeText(lines: readonly string[], sign: string, paint: (text: string) => string): readonly string[] {
  const shown = lines.slice(0, wholeTextLinesMax).map((line) => paint(`${sign} ${visible(line)}`))
  const rest = lines.length - wholeTextLinesMax
  return rest > 0 ? [...shown, `  … ${countOf(rest, 'more line')}`] : shown
}

/** Renders the current values of an object, without any change. */
export function renderLive(
  leaves: readonly { readonly label: string; readonly value: ShownValue }[],
  style: Style,
): string {
  return leaves
    .flatMap(({ label, value }) => {
      const lines = linesOf(value)
      if (!isBlock(lines)) return [`${style.bold(visible(label))}: ${visible(short(value))}`]
      return [`${style.bold(visible(label))}:`, ...lines.map((line) => `    ${visible(line)}`)]
    })
    .join('\n')
}
