// Functions on YAML text: the end of a node, and new lines in the style of the file.
import { Document, isMap, isScalar, isSeq, type Node, type Pair, Scalar, visit, type YAMLMap } from 'yaml'
import { isObject, type Json, type JsonObject } from '../value/tree.js'

const stepDefault = 2

/** Indentation and quotes of a file. */
export class YamlStyle {
  readonly newline: string
  /** Number of blanks per level. */
  readonly step: number

  constructor(private readonly text: string) {
    this.newline = text.includes('\r\n') ? '\r\n' : '\n'
    this.step =
      /^[A-Za-z_][\w-]*:[^\S\n]*(?:#[^\n]*)?\r?\n(?:[^\S\n]*(?:#[^\n]*)?\r?\n)*( +)\S/m.exec(text)?.[1]?.length ??
      stepDefault
  }

  /** Returns the column at which the lines of a node begin. */
  columnOf(node: Node | undefined): number {
    const start = node?.range?.[0] ?? 0
    return start - lineStart(this.text, start)
  }

  /** Returns members as lines. Each begins with a line break and this number of blanks. */
  lines(members: JsonObject | readonly Json[], column: number): string {
    const blanks = ' '.repeat(column)
    const document = new Document(members, { aliasDuplicateObjects: false })
    // As a block, such a text would end with lines that other text of the file cannot be told from.
    visit(document, {
      Scalar: (_key, scalar) => {
        if (typeof scalar.value === 'string' && endsInBlankLine(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
      },
    })
    return document
      .toString({ lineWidth: 0, indent: this.step })
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => this.newline + (line === '' ? '' : blanks + line))
      .join('')
  }
}

/** Returns the offset after the last character of a node that is not blank. */
export function endOf(text: string, node: Node): number {
  const [start = 0, end = 0] = node.range ?? []
  if (isMap(node) && !node.flow) {
    const last = node.items.at(-1)
    if (last) return endOfPair(text, last as Pair<Node, Node | null>) // The parser creates its maps from nodes.
  }
  if (isSeq(node) && !node.flow) {
    const last = node.items.at(-1)
    if (last) return endOf(text, last as Node)
  }
  // Other characters that Unicode calls blanks are part of a text in YAML.
  return start + text.slice(start, end).replace(/[ \t\r\n]+$/, '').length
}

/** True for a text of several lines whose last one is empty or blank. */
function endsInBlankLine(text: string): boolean {
  const [end = ''] = /[ \t\n]*$/.exec(text) ?? []
  const lineBreak = end.indexOf('\n')
  return lineBreak >= 0 && (end === text || lineBreak < end.length - 1)
}

export function endOfPair(text: string, { key, value }: Pair<Node, Node | null>): number {
  const [start = 0, end = 0] = value?.range ?? []
  return value && end > start ? endOf(text, value) : endOfKey(text, key)
}

/** Returns the offset after the colon. */
export function endOfKey(text: string, { range }: Node): number {
  return text.indexOf(':', range?.[1] ?? 0) + 1
}

/** Writes a value on one line, in braces and brackets. Only plain words are unquoted; `${` must be inside quotes. */
export function flowText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flowText).join(', ')}]`
  if (isObject(value)) return Object.keys(value).length === 0 ? '{}' : `{ ${flowMembers(value)} }`
  return typeof value === 'string' ? flowWord(value) : JSON.stringify(value)
}

export function flowMembers(members: JsonObject): string {
  return Object.entries(members)
    .flatMap(([key, member]) => (member === undefined ? [] : [`${flowWord(key)}: ${flowText(member)}`]))
    .join(', ')
}

/** Returns the word, in quotes if some YAML parser reads it as something other than text. */
function flowWord(text: string): string {
  const isPlain = /^[A-Za-z][\w./-]*( [\w./-]+)*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
  return isPlain ? text : JSON.stringify(text)
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

/** Returns the end of the line, without its line break. */
export function lineEnd(text: string, offset: number): number {
  const found = text.indexOf('\n', offset)
  if (found < 0) return text.length
  return text[found - 1] === '\r' && found > offset ? found - 1 : found
}

export type Block = YAMLMap<Node, Node | null>
export type Field = Pair<Node, Node | null>

export interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
  /**
   * Column of added lines. If several are added at one offset, the deepest come first, because they belong to the node
   * that ends there.
   */
  readonly column?: number
}

export interface ChangeRequest {
  readonly original: string
  readonly style: YamlStyle
  /** Returns the value of a node, aliases resolved. */
  read(node: Node | null | undefined): Json | undefined
}

export function nameOf({ key }: Field): string | undefined {
  return isScalar(key) ? String(key.value) : undefined
}
