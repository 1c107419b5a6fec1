// Reads plainly written files, which most are, into the nodes of the YAML parser in a fraction of its time. Any mistake
// and any rarer form of YAML is left to that parser.
import { Pair, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { declarationLimits } from './limits.js'
import { listNode, mapNode, scalarNode } from './plain-nodes.js'
import { closingQuote, lineStyle, plainValue, word } from './plain-scalars.js'

/** Returns undefined where only the full parser can read the text. */
export function readPlainFile(text: string): YAMLMap.Parsed | undefined {
  if (lineStyle.isUnusual.test(text)) return undefined
  try {
    return new PlainFile(text).read()
  } catch (error) {
    if (error === notPlain) return undefined
    throw error
  }
}

/** Thrown at any depth to stop reading a file that is not plain. */
const notPlain = Symbol('not plain')

class PlainFile {
  /** Offsets of the start and the end of the current line, and the number of blanks that it is indented by. */
  private start = 0
  private end = -1
  private indent = 0

  constructor(private readonly text: string) {}

  read(): YAMLMap.Parsed {
    this.next()
    if (this.isOver || this.indent !== 0) throw notPlain
    const root = this.map(0, 0)
    if (!this.isOver) throw notPlain
    return root
  }

  private get isOver(): boolean {
    return this.start > this.text.length
  }

  /** Advances to the next line with content besides blanks and a comment. */
  private next(): void {
    do this.step()
    while (!this.isOver && (this.contentStart === this.end || this.text[this.contentStart] === '#'))
  }

  private step(): void {
    this.start = this.end + 1
    const newline = this.text.indexOf('\n', this.start)
    this.end = newline < 0 ? this.text.length : newline
    this.indent = this.behindBlanks(this.start) - this.start
  }

  private get contentStart(): number {
    return this.start + this.indent
  }

  /** Reads a map from the current line and the following ones with the same indentation. */
  private map(indent: number, depth: number): YAMLMap.Parsed {
    if (depth > declarationLimits.depthMax) throw notPlain
    const at = this.start + indent
    const items: Pair<ParsedNode, ParsedNode>[] = []
    let isFirst = true
    // The first line may begin with the dash of a list item.
    while (isFirst || (!this.isOver && this.indent === indent && !this.isItem)) {
      isFirst = false
      const key = this.key(this.start + indent)
      const value = this.valueBehind(key.range[1], indent, depth)
      items.push(new Pair<ParsedNode, ParsedNode>(key, value))
    }
    if (!this.isOver && this.indent > indent) throw notPlain
    return mapNode(items, { start: at, end: this.start })
  }

  private list(indent: number, depth: number): YAMLSeq.Parsed {
    if (depth > declarationLimits.depthMax) throw notPlain
    const start = this.contentStart
    const items: ParsedNode[] = []
    while (!this.isOver && this.indent === indent && this.isItem) {
      const at = this.behindBlanks(this.contentStart + 1)
      items.push(this.isKey(at) ? this.map(at - this.start, depth + 1) : this.inline(at, indent))
    }
    if (!this.isOver && this.indent > indent) throw notPlain
    return listNode(items, { start, end: this.start })
  }

  private get isItem(): boolean {
    return this.text[this.contentStart] === '-' && this.text[this.contentStart + 1] === ' '
  }

  private isKey(at: number): boolean {
    const end = this.keyEnd(at)
    return end !== undefined && this.isColon(end)
  }

  private keyEnd(at: number): number | undefined {
    const quoted = closingQuote(this.text, at, this.end)
    return quoted === undefined ? word(this.text, at) : quoted + 1
  }

  private isColon(at: number): boolean {
    return this.text[at] === ':' && (at + 1 === this.end || this.text[at + 1] === ' ')
  }

  private key(at: number): Scalar.Parsed {
    if (!this.isKey(at)) throw notPlain
    return this.scalar(at, this.keyEnd(at) ?? at)
  }

  private valueBehind(keyEnd: number, indent: number, depth: number): ParsedNode {
    const at = this.behindBlanks(keyEnd + 1)
    if (at < this.end && this.text[at] !== '#') return this.inline(at, indent)
    this.next()
    if (this.isOver || this.indent < indent) throw notPlain
    if (this.isItem) return this.list(this.indent, depth + 1)
    if (this.indent === indent) throw notPlain
    return this.map(this.indent, depth + 1)
  }

  /** Reads a value that begins on the current line, inside a node indented by `indent`. */
  private inline(at: number, indent: number): ParsedNode {
    const first = this.text[at]
    if (first === '|') return this.block(at, indent)
    if (first === '[') return this.flowList(at)
    const quote = closingQuote(this.text, at, this.end)
    const end = quote === undefined ? this.plainEnd(at) : quote + 1
    const scalar = this.scalar(at, end)
    this.endLine(end)
    return scalar
  }

  private plainEnd(at: number): number {
    if (!lineStyle.plainStart.test(this.text[at] ?? '')) throw notPlain
    const line = this.text.slice(at, this.end)
    const comment = line.indexOf(' #')
    const written = (comment < 0 ? line : line.slice(0, comment)).trimEnd()
    if (written.includes(': ') || written.endsWith(':')) throw notPlain
    return at + written.length
  }

  /** Accepts nothing but a comment up to the end of the line. */
  private endLine(at: number): void {
    const next = this.behindBlanks(at)
    if (next < this.end && (next === at || this.text[next] !== '#')) throw notPlain
    this.next()
  }

  private flowList(at: number): YAMLSeq.Parsed {
    const items: ParsedNode[] = []
    let next = this.behindBlanks(at + 1)
    while (this.text[next] !== ']') {
      const quote = closingQuote(this.text, next, this.end)
      const end = quote === undefined ? word(this.text, next) : quote + 1
      if (end === undefined) throw notPlain
      items.push(this.scalar(next, end))
      next = this.behindBlanks(end)
      if (this.text[next] === ']') break
      if (this.text[next] !== ',') throw notPlain
      next = this.behindBlanks(next + 1)
      if (this.text[next] === ']') throw notPlain
    }
    this.endLine(next + 1)
    return listNode(items, { start: at, end: next + 1 })
  }

  private behindBlanks(at: number): number {
    let next = at
    while (this.text.charCodeAt(next) === 0x20) next++
    return next
  }

  /** Reads a literal block (`|`), its final line break stripped or kept. */
  private block(at: number, indent: number): Scalar.Parsed {
    const header = this.text.slice(at, this.end).trimEnd()
    if (header !== '|' && header !== '|-') throw notPlain
    this.step()
    const own = this.indent
    const lines: string[] = []
    let end = this.end
    if (own <= indent || this.contentStart === this.end) throw notPlain
    for (; !this.isOver; this.step()) {
      const isBlank = this.contentStart === this.end
      if (isBlank ? this.indent > own : this.indent < own && this.indent > indent) throw notPlain
      if (!isBlank && this.indent < own) break
      lines.push(isBlank ? '' : this.text.slice(this.start + own, this.end))
      if (!isBlank) end = this.end
    }
    if (!this.isOver && this.text[this.contentStart] === '#') this.next()
    while (lines.at(-1) === '') lines.pop()
    const value = lines.join('\n') + (header === '|' ? '\n' : '')
    return scalarNode(value, value, 'BLOCK_LITERAL', { start: at, end })
  }

  private scalar(at: number, end: number): Scalar.Parsed {
    const first = this.text[at]
    if (first === '"' || first === "'") {
      const value = this.text.slice(at + 1, end - 1)
      return scalarNode(value, value, first === '"' ? 'QUOTE_DOUBLE' : 'QUOTE_SINGLE', { start: at, end })
    }
    const source = this.text.slice(at, end)
    const value = plainValue(source)
    if (value === undefined) throw notPlain
    return scalarNode(value, source, 'PLAIN', { start: at, end })
  }
}
