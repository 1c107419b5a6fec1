// All output of a command: the human view or NDJSON on stdout, notes on stderr. The values of variables are always
// masked.
import type { Writable } from 'node:stream'
import type { Diagnostic } from '../../core/diagnostic.js'
import { type Context, isTerminal, widthOf } from '../terminal/context.js'
import { renderDiagnostics } from './diagnostics.js'
import { type Style, styleFor } from './style.js'
import { wrapLines } from './wrap.js'

/** One line of `--json`; docs/json.md describes every type. */
export interface JsonRecord {
  readonly type: string
  readonly [member: string]: unknown
}

/**
 * Members with words of this program and addresses. They are never masked, because a variable may have the same text as
 * its value.
 */
const structural: ReadonlySet<string> = new Set([
  'type',
  'action',
  'address',
  'after',
  'cause',
  'change',
  'code',
  'from',
  'kind',
  'left',
  'mode',
  'movedFrom',
  'outcome',
  'provider',
  'severity',
  'state',
  'status',
  'to',
])
/** Members with text from providers and files, which is always masked. */
const foreign: ReadonlySet<string> = new Set(['answer', 'deployment', 'event', 'run', 'session', 'value', 'version'])
/** Members named in docs/json.md. Other keys come from providers and files. */
const memberName = /^[a-z][A-Za-z]*$/

export class Output {
  readonly isJson: boolean
  /** True if lines on stderr can be replaced: on a terminal that is not dumb. */
  readonly isLive: boolean
  /** Columns of the terminal, for text that is wrapped. */
  readonly width: number
  /** Styles for stdout and for stderr. */
  readonly style: Style
  readonly noteStyle: Style
  /** Width at which notes are wrapped; undefined without a terminal, because programs search messages line by line. */
  readonly #noteWidth: number | undefined
  /** The same of stdout. */
  readonly #printWidth: number | undefined
  readonly #stdout: Writable
  readonly #stderr: Writable
  #hide: (text: string) => string = (text) => text

  constructor({ stdout, stderr, env }: Context, options: { readonly isJson: boolean }) {
    this.isJson = options.isJson
    this.width = widthOf(stdout)
    this.style = styleFor(stdout, env)
    this.noteStyle = styleFor(stderr, env)
    this.isLive = !options.isJson && isTerminal(stderr) && env['TERM'] !== 'dumb'
    this.#noteWidth = isTerminal(stderr) ? widthOf(stderr) : undefined
    this.#printWidth = isTerminal(stdout) ? widthOf(stdout) : undefined
    this.#stdout = stdout
    this.#stderr = stderr
  }

  /** Passes all further text through `mask`, which hides the values of variables. */
  hideBy(mask: (text: string) => string): void {
    this.#hide = mask
  }

  /** Prints to stdout for people; does nothing under `--json`. */
  print(text = ''): void {
    if (!this.isJson) this.#stdout.write(`${this.#hide(text)}\n`)
  }

  /** Prints lines to stdout for people, wrapped on a terminal. They are masked first, because values contain blanks. */
  printLines(text: string): void {
    const masked = this.#hide(text)
    if (!this.isJson)
      this.#stdout.write(`${this.#printWidth === undefined ? masked : wrapLines(masked, this.#printWidth)}\n`)
  }

  /** Prints a part of a line to stdout for people. Its caller masked it, as a part of the whole text. */
  write(masked: string): void {
    if (!this.isJson) this.#stdout.write(masked)
  }

  /** Returns the text without the values of variables. */
  masked(text: string): string {
    return this.#hide(text)
  }

  /** Prints a JSON record to stdout; does nothing without `--json`. */
  record(record: JsonRecord): void {
    if (this.isJson) this.#stdout.write(`${JSON.stringify(this.#hidden(record))}\n`)
  }

  /** Prints progress and remarks to stderr, with and without `--json`. */
  note(text: string): void {
    this.#stderr.write(`${this.#hide(text)}\n`)
  }

  /** Prints diagnostics to stderr, or as records under `--json`. */
  report(diagnostics: readonly Diagnostic[]): void {
    if (diagnostics.length === 0) return
    if (this.isJson) for (const diagnostic of diagnostics) this.record({ type: 'diagnostic', ...diagnostic })
    else
      this.note(
        `${renderDiagnostics(
          diagnostics.map((one) => this.#hiddenIn(one)),
          this.noteStyle,
          this.#noteWidth,
        )}\n`,
      )
  }

  /** Draws a line on stderr that the next call replaces; only on a terminal. An empty text erases it. */
  live(text: string): void {
    if (!this.isLive) return
    this.#stderr.write(`\r\u001b[2K${this.#hide(text)}`)
  }

  /** Masks text before its lines are broken, because a value may contain blanks. */
  #hiddenIn(diagnostic: Diagnostic): Diagnostic {
    const { detail, fix } = diagnostic
    return {
      ...diagnostic,
      ...(detail === undefined ? {} : { detail: this.#hide(detail) }),
      ...(fix === undefined ? {} : { fix: this.#hide(fix) }),
    }
  }

  #hidden(value: unknown, isForeign = false): unknown {
    if (typeof value === 'string') return this.#hide(value)
    if (Array.isArray(value)) return value.map((item) => this.#hidden(item, isForeign))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const isFixed = !isForeign && structural.has(key) && isWords(member)
        const shown = isFixed ? member : this.#hidden(member, isForeign || foreign.has(key))
        return [memberName.test(key) ? key : this.#hide(key), shown]
      }),
    )
  }
}

function isWords(member: unknown): boolean {
  return typeof member === 'string' || (Array.isArray(member) && member.every((item) => typeof item === 'string'))
}
