// Parses the text as YAML and explains syntax errors in terms of this file format.
import { type Document, isMap, parseDocument, type YAMLError, type YAMLMap } from 'yaml'
import type { Collector } from './collector.js'
import { declarationLimits } from './limits.js'
import { readPlainFile } from './plain-file.js'
import type { ProblemCode } from './problems.js'
import type { Range } from './source-text.js'
import { isUnquotedVariable, quoted, withStandIns } from './unquoted.js'

export interface ParsedFile {
  readonly root: YAMLMap.Parsed
  /** True if unquoted variables were replaced: texts then contain stand-ins for their braces. */
  readonly hasStandIns: boolean
}

/** Parses the file. Returns undefined if nothing can be read; the collector then contains the reason. */
export function parseFile(collector: Collector): ParsedFile | undefined {
  const plain = readPlainFile(collector.text.text)
  if (plain) return { root: plain, hasStandIns: false }
  const parsed = parseRepaired(collector)
  if (!parsed || parsed.document.errors.length > 0) return undefined
  const { contents } = parsed.document
  if (isMap(contents)) return { root: contents, hasStandIns: parsed.hasStandIns }
  if (contents === null) {
    collector.add('declaration.file-empty', undefined, { detail: 'The file contains only comments.' })
  } else {
    const range: Range = [contents.range[0], contents.range[1]]
    collector.add('declaration.not-a-map', range, {
      detail: 'The file must be a map with version, providers and sections such as agents.',
    })
  }
  return undefined
}

interface ParsedDocument extends Pick<ParsedFile, 'hasStandIns'> {
  readonly document: Document.Parsed
}

/** Parses again with unquoted variables replaced, until none is left; each is reported as an error. */
function parseRepaired(collector: Collector): ParsedDocument | undefined {
  const original = collector.text.text
  let text = original
  for (let parsedBytes = text.length; ; parsedBytes += text.length) {
    const document = parse(text, collector)
    if (!document) return undefined
    const brace = document.errors.find(({ pos }) => isUnquotedVariable(text, pos[0]))?.pos[0]
    const repaired = brace === undefined ? text : withStandIns(text, lineRange(text, brace))
    if (brace === undefined || repaired === text || parsedBytes > declarationLimits.repairBytesMax) {
      reportSyntax(collector, document.errors)
      return { document, hasStandIns: text !== original }
    }
    reportUnquoted(collector, text, brace)
    text = repaired
  }
}

function parse(text: string, collector: Collector): Document.Parsed | undefined {
  try {
    // Duplicate keys are found later, while values are read, because the parser compares every key with every other.
    return parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    collector.add('declaration.too-deep', undefined, { detail: 'The file is nested too deeply to be parsed.' })
    return undefined
  }
}

function reportUnquoted(collector: Collector, text: string, brace: number): void {
  const [, lineEnd] = lineRange(text, brace)
  const close = text.indexOf('}', brace)
  const end = close < 0 || close > lineEnd ? lineEnd : close + 1
  const corrected = quoted(collector.text.lineTextAt(brace)).trim()
  collector.add('declaration.unquoted-variable', [brace - 1, end], {
    detail: 'Inside { } and [ ] YAML reads the braces of a variable as a map.',
    fix: `Write: ${corrected}`,
  })
}

/** Reports one syntax error per line: after a broken line the parser reports errors for everything that follows. */
function reportSyntax(collector: Collector, errors: readonly YAMLError[]): void {
  const lines = new Set<number>()
  for (const { code, pos, message } of errors) {
    const range: Range = [pos[0], Math.max(pos[1], pos[0] + 1)]
    const { line } = collector.text.place(range)
    if (lines.has(line)) continue
    lines.add(line)
    const known = syntaxProblems[code]
    const detail = known?.detail ?? syntaxDetails.find(({ pattern }) => pattern.test(message))?.detail ?? `${message}.`
    collector.add(known?.code ?? 'declaration.syntax', range, { detail })
    if (lines.size >= 20) return
  }
}

const syntaxProblems: Readonly<
  Partial<Record<YAMLError['code'], { readonly code: ProblemCode; readonly detail: string }>>
> = {
  TAB_AS_INDENT: { code: 'declaration.tab', detail: 'YAML allows only spaces in front of a key.' },
  MULTIPLE_DOCS: {
    code: 'declaration.several-documents',
    detail: 'A line of three dashes starts another document, which would be ignored.',
  },
  RESOURCE_EXHAUSTION: {
    code: 'declaration.too-deep',
    detail: `Values may be nested ${declarationLimits.depthMax} deep; deeper values are not read.`,
  },
  DUPLICATE_KEY: { code: 'declaration.duplicate-key', detail: 'The same key occurs twice in one map.' },
  BLOCK_AS_IMPLICIT_KEY: {
    code: 'declaration.syntax',
    detail:
      'A map begins in the middle of a line, or the line is indented differently from the one it belongs to. A text that contains ": " must be quoted.',
  },
  MULTILINE_IMPLICIT_KEY: {
    code: 'declaration.syntax',
    detail: 'The line is neither a key with a value nor the continuation of a text. Often a colon is missing.',
  },
  BAD_SCALAR_START: { code: 'declaration.syntax', detail: 'A text that begins with this character must be quoted.' },
}

/** Explanations by the parser's message, for error codes that are too general. */
const syntaxDetails: readonly { readonly pattern: RegExp; readonly detail: string }[] = [
  { pattern: /must start at the same column/, detail: 'The keys of a map must all begin in the same column.' },
  { pattern: /end with a }/, detail: 'A { above is not closed by a }.' },
  { pattern: /end with a \]/, detail: 'A [ above is not closed by a ].' },
  { pattern: /closing ["']quote/, detail: 'A quote that opens above is never closed.' },
  {
    pattern: /Unexpected scalar at node end/,
    detail: 'Something follows the end of a value. A text that begins with a quote, * or & must be quoted as a whole.',
  },
]

function lineRange(text: string, offset: number): Range {
  const start = text.lastIndexOf('\n', offset) + 1
  const newline = text.indexOf('\n', offset)
  return [start, newline < 0 ? text.length : newline]
}
