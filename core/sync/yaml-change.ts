// Changes nodes of a YAML file to other values by replacing as little text as possible: comments, layout, aliases and
// the spelling of everything that stays are retained.
import { isCollection, isMap, isSeq, type Node, type YAMLSeq } from 'yaml'
import { canonical, isObject, type Json, type JsonObject, ownMember } from '../value/tree.js'
import { alignedIndexes } from './aligned.js'
import { changeFlow, type FlowNode } from './yaml-flow.js'
import {
  type Block,
  type ChangeRequest,
  endOf,
  endOfPair,
  type Field,
  flowText,
  lineEnd,
  lineStart,
  nameOf,
  type Splice,
} from './yaml-text.js'

type List = YAMLSeq<Node>

/** The parser creates its maps and lists from nodes. */
export const blockOf = (node: unknown): Block | undefined => (isMap(node) ? (node as unknown as Block) : undefined)
const listOf = (node: unknown): List | undefined => (isSeq(node) ? (node as unknown as List) : undefined)

export class YamlChange {
  readonly splices: Splice[] = []

  constructor(private readonly request: ChangeRequest) {}

  field(current: Field, name: string, wanted: Json): void {
    const written = this.request.read(current.value)
    if (canonicalOf(written) === canonicalOf(wanted)) return
    const block = blockOf(current.value)
    const list = listOf(current.value)
    if (block && block.items.length > 0 && isObject(wanted) && Object.keys(wanted).length > 0) this.map(block, wanted)
    else if (list?.flow && Array.isArray(wanted)) this.flow(list, wanted)
    else if (list && !list.flow && Array.isArray(wanted) && this.isPlain(list) && wanted.length > 0)
      this.list(list, wanted)
    else this.replaceField(current, name, wanted)
  }

  map(block: Block, wanted: JsonObject): void {
    if (block.flow) {
      this.flow(block, wanted)
      return
    }
    const names = new Set(block.items.map(nameOf))
    for (const [index, current] of block.items.entries()) {
      const name = nameOf(current)
      const value = name === undefined ? undefined : ownMember(wanted, name)
      if (name !== undefined && value === undefined) this.removeField(current, block.items[index + 1])
      else if (name !== undefined && value !== undefined) this.field(current, name, value)
    }
    for (const [name, value] of Object.entries(wanted))
      if (!names.has(name) && value !== undefined) this.appendField(block, name, value)
  }

  replaceField(current: Field, name: string, value: Json): void {
    const { original, style } = this.request
    const start = current.key.range?.[0] ?? 0
    const end = endOfPair(original, current)
    const column = start - lineStart(original, start)
    const isFlow =
      isCollection(current.value) && current.value.flow === true && (Array.isArray(value) || isObject(value))
    const text = isFlow
      ? `${name}: ${flowText(value)}`
      : style.lines({ [name]: value }, column).slice(style.newline.length + column)
    const rest = original.slice(end, lineEnd(original, end))
    // A comment after a text of several lines would become a part of it, so it is moved above the text.
    const moves = rest.trim() !== '' && text.includes('\n')
    if (!moves) this.splices.push({ start, end, text })
    else {
      const above = `${rest.trim()}${style.newline}${' '.repeat(column)}`
      this.splices.push({ start, end: end + rest.length, text: above + text })
    }
  }

  appendField(block: Block, name: string, value: Json): void {
    const { original, style } = this.request
    const at = lineEnd(original, endOf(original, block))
    const column = style.columnOf(block.items[0]?.key)
    this.splices.push({ start: at, end: at, text: style.lines({ [name]: value }, column), column })
  }

  /** Removes a field with the line break before it, so that added lines can begin with one. */
  private removeField(current: Field, next: Field | undefined): void {
    const { original, style } = this.request
    const key = current.key.range?.[0] ?? 0
    const start = lineStart(original, key)
    if (original.slice(start, key).trim() !== '') {
      // The field is after the dash of an item, where the next field replaces it.
      this.splices.push({ start: key, end: next?.key.range?.[0] ?? endOfPair(original, current), text: '' })
      return
    }
    const end = lineEnd(original, endOfPair(original, current))
    this.splices.push({ start: Math.max(0, start - style.newline.length), end, text: '' })
  }

  private flow(node: FlowNode, wanted: Json): void {
    this.splices.push(...changeFlow(this.request, node, wanted))
  }

  private list(list: List, wanted: readonly Json[]): void {
    const { original, read } = this.request
    const values = list.items.map((item) => read(item) ?? null)
    const places = alignedIndexes(values, wanted)
    const used = new Set(places)
    const isMoved = (index: number) => !used.has(index)
    for (const index of list.items.keys()) if (isMoved(index)) this.removeItem(list, index)
    let behind = -1
    for (const [index, value] of wanted.entries()) {
      const place = places[index]
      const item = place === undefined ? undefined : list.items[place]
      if (place !== undefined && item) {
        this.item(item, values[place] ?? null, value, list)
        behind = place
        continue
      }
      const moved = values.findIndex((one, at) => isMoved(at) && canonical(one) === canonical(value))
      const text = moved < 0 ? this.newItem(list, value) : original.slice(...this.region(list, moved))
      const at = behind < 0 ? this.region(list, 0)[0] : lineEnd(original, endOf(original, list.items[behind] as Node))
      this.splices.push({ start: at, end: at, text, column: this.columnOf(list) })
    }
  }

  private item(item: Node, current: Json, wanted: Json, list: List): void {
    if (canonicalOf(current) === canonicalOf(wanted)) return
    const { original, style } = this.request
    const block = blockOf(item)
    if (block && block.items.length > 0 && isObject(wanted) && Object.keys(wanted).length > 0) {
      this.map(block, wanted)
      return
    }
    const start = item.range?.[0] ?? 0
    const column = this.columnOf(list)
    const text = style.lines([wanted], column).slice(style.newline.length + column + '- '.length)
    this.splices.push({ start, end: endOf(original, item), text })
  }

  private newItem(list: List, value: Json): string {
    const { style } = this.request
    const column = this.columnOf(list)
    const [first] = list.items
    const isFlow = isCollection(first) && first.flow === true && (isObject(value) || Array.isArray(value))
    return isFlow ? `${style.newline}${' '.repeat(column)}- ${flowText(value)}` : style.lines([value], column)
  }

  private removeItem(list: List, index: number): void {
    const [start, end] = this.region(list, index)
    this.splices.push({ start, end, text: '' })
  }

  /**
   * Returns the lines of an item with the line break before it, and, except for the first item, the comments above it.
   */
  private region(list: List, index: number): [start: number, end: number] {
    const { original, style } = this.request
    const before = list.items[index - 1]
    const start = before
      ? lineEnd(original, endOf(original, before))
      : Math.max(0, lineStart(original, list.range?.[0] ?? 0) - style.newline.length)
    return [start, lineEnd(original, endOf(original, list.items[index] as Node))]
  }

  private columnOf(list: List): number {
    return this.request.style.columnOf(list)
  }

  /** True if the list begins on a line of its own. */
  private isPlain(list: List): boolean {
    const { original } = this.request
    const start = list.range?.[0] ?? 0
    return (
      list.items.length > 0 && original[start] === '-' && /^ *$/.test(original.slice(lineStart(original, start), start))
    )
  }
}

/** Returns a text for comparison, in which null, a missing value and an empty map differ. */
function canonicalOf(value: Json | undefined): string {
  return JSON.stringify(value ?? null, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  )
}
