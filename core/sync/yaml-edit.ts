// Edits of agents.yaml that keep it byte for byte outside what is edited: new text is put between the old.
import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  type Node,
  type Pair,
  parse,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { isObject, type Json, type JsonObject } from '../value/tree.js'
import { withMember } from './members.js'
import { endOf, endOfKey, endOfPair, flowMembers, flowText, lineEnd, lineStart, YamlStyle } from './yaml-text.js'

interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Of lines that are added: of several at one place the deepest come first, as they belong to what ends there. */
  readonly column?: number
}

type Block = YAMLMap<Node, Node | null>
type Field = Pair<Node, Node | null>

export class YamlEdit {
  private readonly document: Document.Parsed
  private readonly root: Block | undefined
  private readonly style: YamlStyle
  private readonly changes: Splice[] = []
  /** Declarations to add, by section and name. */
  private readonly added = new Map<string, Map<string, JsonObject>>()

  constructor(private readonly original: string) {
    this.document = parseDocument(original)
    const { contents } = this.document
    this.root = isMap(contents) ? (contents as unknown as Block) : undefined // The parser makes its maps of nodes.
    this.style = new YamlStyle(original)
  }

  /** The file as it was when nothing was edited. */
  text(): string {
    const added = [...this.added].map(([section, bodies]) => this.addition(section, bodies))
    const splices = [...this.changes, ...added].sort((a, b) => a.start - b.start || (b.column ?? 0) - (a.column ?? 0))
    let text = ''
    let from = 0
    for (const { start, end, text: fresh } of splices) {
      text += this.original.slice(from, start) + fresh
      from = end
    }
    return text + this.original.slice(from)
  }

  /** Adds a declaration at the end of its section, which is added when it is missing. */
  add(section: string, name: string, body: JsonObject): void {
    const bodies = this.added.get(section) ?? new Map<string, JsonObject>()
    bodies.set(name, body)
    this.added.set(section, bodies)
  }

  /** Adds a member to `defaults`, which is added behind another section when it is missing. */
  addDefault(name: string, value: string, behind: string): void {
    const { original, style, root } = this
    const held = root && fieldOf(root, 'defaults')
    if (held && isMap(held.value) && held.value.items.length > 0) {
      const block = held.value as unknown as Block
      if (block.flow) this.replaceFlow(block, [name], value)
      else this.appendField(block, name, value)
      return
    }
    if (held) {
      const end = lineEnd(original, endOfPair(original, held))
      const start = endOfKey(original, held.key)
      this.changes.push({ start, end, text: style.lines({ [name]: value }, style.step) })
      return
    }
    const section = root && fieldOf(root, behind)
    const at = section ? lineEnd(original, endOfPair(original, section)) : original.length
    this.changes.push({ start: at, end: at, text: style.newline + style.lines({ defaults: { [name]: value } }, 0) })
  }

  /** Replaces what stands at a path of a declaration; undefined removes it. A comment behind it stays. */
  set(section: string, name: string, path: readonly string[], value: Json | undefined): void {
    const declaration = this.declaration(section, name)
    if (!declaration || !isMap(declaration.value)) throw new Error(`sync: ${section}.${name} is no map to be edited`)
    let block = declaration.value as unknown as Block
    let rest = path
    for (;;) {
      const [field, ...inner] = rest
      if (field === undefined) throw new Error(`sync: nothing to edit in ${section}.${name}`)
      if (block.flow) {
        this.replaceFlow(block, rest, value)
        return
      }
      const held = fieldOf(block, field)
      if (inner.length > 0 && isMap(held?.value) && held.value.items.length > 0) {
        block = held.value as unknown as Block
        rest = inner
        continue
      }
      // What is not there yet, or stands somewhere else (an alias), is written as a whole.
      const elsewhere = this.valueOf(held)
      const whole = inner.length > 0 ? withMember(isObject(elsewhere) ? elsewhere : {}, inner, value) : value
      if (held && whole === undefined) this.removeField(held)
      else if (held) this.replaceField(held, field, whole ?? null)
      else if (whole !== undefined) this.appendField(block, field, whole)
      return
    }
  }

  /** A declaration as written, references to variables unexpanded. */
  bodyOf(section: string, name: string): Json | undefined {
    const node = this.declaration(section, name)?.value
    return isMap(node) ? (node.toJS(this.document) as Json) : undefined
  }

  private declaration(section: string, name: string): Field | undefined {
    const held = this.root && fieldOf(this.root, section)?.value
    return isMap(held) ? fieldOf(held as unknown as Block, name) : undefined
  }

  private addition(section: string, bodies: ReadonlyMap<string, JsonObject>): Splice {
    const { style, original } = this
    const held = this.root && fieldOf(this.root, section)
    const value = held?.value
    if (!held) return this.newSection(section, bodies)
    if (isMap(value) && value.items.length > 0) {
      const block = value as unknown as Block
      if (block.flow) {
        const end = endOf(original, block) - 1
        const isSpaced = original[end - 1] === ' '
        const at = isSpaced ? end - 1 : end
        return { start: at, end: at, text: `, ${flowMembers(Object.fromEntries(bodies))}` }
      }
      const at = lineEnd(original, endOf(original, block))
      const column = style.columnOf(block.items[0]?.key)
      return { start: at, end: at, text: style.lines(Object.fromEntries(bodies), column), column }
    }
    // `agents:` or `agents: {}`, with whatever comment stands behind it.
    const keyEnd = endOfKey(original, held.key)
    const valueEnd = endOfPair(original, held)
    const rest = lineEnd(original, valueEnd)
    const text = original.slice(valueEnd, rest) + style.lines(Object.fromEntries(bodies), style.step)
    return { start: keyEnd, end: rest, text }
  }

  private newSection(section: string, bodies: ReadonlyMap<string, JsonObject>): Splice {
    const { original, style } = this
    const end = original.length
    const isTerminated = original === '' || original.endsWith('\n')
    const gap = style.newline.repeat(isTerminated ? 1 : 2)
    const text = gap + style.lines({ [section]: Object.fromEntries(bodies) }, 0).slice(style.newline.length)
    return { start: end, end, text: text + style.newline }
  }

  private replaceField(held: Field, field: string, value: Json): void {
    const { original, style } = this
    const start = held.key.range?.[0] ?? 0
    const end = endOfPair(original, held)
    const column = start - lineStart(original, start)
    const isFlow = isCollection(held.value) && held.value.flow === true && isWide(value)
    const text = isFlow
      ? `${field}: ${flowText(value)}`
      : style.lines({ [field]: value }, column).slice(style.newline.length + column)
    const rest = original.slice(end, lineEnd(original, end))
    // A comment behind a text of several lines would become a part of it, so that it moves above.
    const moves = rest.trim() !== '' && text.includes('\n')
    if (!moves) this.changes.push({ start, end, text })
    else {
      const above = `${rest.trim()}${style.newline}${' '.repeat(column)}`
      this.changes.push({ start, end: end + rest.length, text: above + text })
    }
  }

  /** With the line break in front, so that lines which are added behind it find theirs. */
  private removeField(held: Field): void {
    const start = lineStart(this.original, held.key.range?.[0] ?? 0)
    const end = lineEnd(this.original, endOfPair(this.original, held))
    this.changes.push({ start: Math.max(0, start - this.style.newline.length), end, text: '' })
  }

  private appendField(block: Block, field: string, value: Json): void {
    const at = lineEnd(this.original, endOf(this.original, block))
    const column = this.style.columnOf(block.items[0]?.key)
    this.changes.push({ start: at, end: at, text: this.style.lines({ [field]: value }, column), column })
  }

  /** What stands in braces is written anew, in braces. */
  private replaceFlow(block: Block, path: readonly string[], value: Json | undefined): void {
    const [start = 0] = block.range ?? []
    const end = endOf(this.original, block)
    const earlier = this.changes.findIndex((change) => change.start === start)
    const text = earlier < 0 ? this.original.slice(start, end) : (this.changes[earlier]?.text ?? '')
    const fresh = { start, end, text: flowText(withMember(parsed(text), path, value)) }
    this.changes.splice(earlier < 0 ? this.changes.length : earlier, earlier < 0 ? 0 : 1, fresh)
  }

  /** The value of a field, aliases followed. */
  private valueOf(held: Field | undefined): Json | undefined {
    return held?.value?.toJS(this.document)
  }
}

function isWide(value: Json): boolean {
  return Array.isArray(value) || isObject(value)
}

function fieldOf(block: Block, name: string): Field | undefined {
  return block.items.find(({ key }) => isScalar(key) && String(key.value) === name)
}

/** What was edited before, in braces. */
function parsed(text: string): JsonObject {
  const value: unknown = parse(text)
  return isObject(value) ? value : {}
}
