// Renders diagnostics for people: place, summary, code, the source line with a caret, detail and fix.
import type { Diagnostic, Place, Severity } from '../../core/diagnostic.js'
import type { Style } from './style.js'
import { countOf, listed, visible, visibleLines, wrapped } from './text.js'

const sourceColumnsMax = 100

const colours: Readonly<Record<Severity, 'red' | 'yellow' | 'cyan'>> = { error: 'red', warning: 'yellow', note: 'cyan' }

/** Renders a diagnostic. Detail and fix are wrapped if there is a width. */
export function renderDiagnostic(diagnostic: Diagnostic, style: Style, width = Number.POSITIVE_INFINITY): string {
  const { code, severity, summary, detail, fix, place, address } = diagnostic
  const where = place ? `${place.file}:${place.line}:${place.column}` : address
  const heading = [
    ...(where === undefined ? [] : [style.bold(`${visible(where)}:`)]),
    style[colours[severity]](`${severity}:`),
    style.bold(visible(summary)),
    style.dim(place && address !== undefined ? `[${code}] ${visible(address)}` : `[${code}]`),
  ].join(' ')
  return [
    heading,
    ...(place ? [renderSource(place, style, colours[severity])] : []),
    ...(detail ? [wrapped(visibleLines(detail), width, '  ')] : []),
    ...(fix ? [wrapped(`${style.bold('Fix:')} ${visibleLines(fix)}`, width, '  ')] : []),
  ].join('\n')
}

export function renderDiagnostics(diagnostics: readonly Diagnostic[], style: Style, width?: number): string {
  return diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, style, width)).join('\n\n')
}

export function countSeverity(diagnostics: readonly Diagnostic[], wanted: Severity): number {
  return diagnostics.filter(({ severity }) => severity === wanted).length
}

/** Returns `2 errors and 1 warning`. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const counts = (['error', 'warning', 'note'] as const)
    .map((severity) => ({ severity, count: countSeverity(diagnostics, severity) }))
    .filter(({ count }) => count > 0)
  return listed(counts.map(({ severity, count }) => countOf(count, severity)))
}

/** Renders the source line, cut around the place if it is too long, with a caret under the place. */
function renderSource(
  { line, column, length, sourceLine }: Place,
  style: Style,
  colour: 'red' | 'yellow' | 'cyan',
): string {
  const start = Math.max(0, Math.min(column - 1 - sourceColumnsMax / 2, sourceLine.length - sourceColumnsMax))
  const shown = visible(sourceLine.slice(start, start + sourceColumnsMax)).replaceAll('\t', ' ')
  const [before, after] = [start > 0 ? '…' : '', start + sourceColumnsMax < sourceLine.length ? '…' : '']
  // The source line may be shorter than the column of the place, because very long lines are cut.
  const at = Math.min(column - 1 - start, shown.length)
  const gap = ' '.repeat(before.length + at)
  const carets = '^'.repeat(Math.max(1, Math.min(length, shown.length - at)))
  const number = String(line)
  return [
    `  ${style.dim(`${number} |`)} ${before}${shown}${after}`,
    `  ${style.dim(`${' '.repeat(number.length)} |`)} ${gap}${style[colour](carets)}`,
  ].join('\n')
}
