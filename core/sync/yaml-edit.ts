// Edits agents.yaml by inserting new text into the old one, which stays the same byte for byte outside the edited
// parts.
import { type Document, isMap, isScalar, type Node, parseDocument } from 'yaml'
import { isObject, type Json, type JsonObject } from '../value/tree.js'
import { withMember } from './members.js'
import { blockOf, YamlChange } from './yaml-change.js'
import {
  type Block,
  endOf,
  endOfKey,
  endOfPair,
  type Field,
  flowMembers,
  lineEnd,
  nameOf,
  type Splice,
  YamlStyle,
} from './yaml-text.js'

export class YamlEdit {
  private readonly document: Document.Parsed
  private readonly root: Block | undefined
  private readonly style: YamlStyle
  private readonly changes: Splice[] = []
  /** Desired declarations, with aliases resolved. */
  private readonly wanted = new Map<Field, JsonObject>()
  /** Fields of a block by name, computed once for each block. */
  private readonly fields = new WeakMap<Block, ReadonlyMap<string, Field>>()
  /** Declarations to add, by section and name. */
  private readonly added = new Map<string, Map<string, JsonObject>>()

  constructor(private readonly original: string) {
    // The file was read before, so that its keys are known to be unique; the check takes the square of their number.
    this.document = parseDocument(original, { uniqueKeys: false })
    const { contents } = this.document
    this.root = isMap(contents) ? (contents as unknown as Block) : undefined // The parser creates its maps from nodes.
    this.style = new YamlStyle(original)
  }

  /** Returns the text; the original one when nothing was edited. */
  text(): string {
    const added = [...this.added].map(([section, bodies]) => this.addition(section, bodies))
    const edited = [...this.wanted].flatMap(([current, body]) => this.edited(current, body))
    const splices = [...this.changes, ...edited, ...added].sort(inOrder)
    let text = ''
    let from = 0
    for (const { start, end, text: fresh } of splices) {
      text += this.original.slice(from, start) + fresh
      from = end
    }
    // A block that ends with the file needs a line break: without one, its last line would have none.
    const isOpen = from === this.original.length && splices.at(-1)?.text.includes('\n') && !text.endsWith('\n')
    return text + this.original.slice(from) + (isOpen ? this.style.newline : '')
  }

  /** Adds a declaration at the end of its section, or a new section if there is none. */
  add(section: string, name: string, body: JsonObject): void {
    const bodies = this.added.get(section) ?? new Map<string, JsonObject>()
    bodies.set(name, body)
    this.added.set(section, bodies)
  }

  /** Adds a member to `defaults`, or a new `defaults` after another section if there is none. */
  addDefault(name: string, value: string, behind: string): void {
    const { original, style, root } = this
    const current = root && fieldOf(root, 'defaults')
    if (current && isMap(current.value) && current.value.items.length > 0) {
      const block = current.value as unknown as Block
      const members = this.valueOf(current)
      const change = this.change()
      change.map(block, { ...(isObject(members) ? members : {}), [name]: value })
      this.changes.push(...change.splices)
      return
    }
    if (current) {
      const end = lineEnd(original, endOfPair(original, current))
      const start = endOfKey(original, current.key)
      this.changes.push({ start, end, text: style.lines({ [name]: value }, style.step) })
      return
    }
    const section = root && fieldOf(root, behind)
    const at = section ? lineEnd(original, endOfPair(original, section)) : original.length
    this.changes.push({ start: at, end: at, text: style.newline + style.lines({ defaults: { [name]: value } }, 0) })
  }

  /** Replaces the value at a path of a declaration; undefined removes it. A comment after the value stays. */
  set(section: string, name: string, path: readonly string[], value: Json | undefined): void {
    const declaration = this.declaration(section, name)
    const current = declaration && (this.wanted.get(declaration) ?? this.valueOf(declaration))
    if (!declaration || !isObject(current)) throw new Error(`sync: ${section}.${name} is no map to be edited`)
    if (path.length === 0) throw new Error(`sync: nothing to edit in ${section}.${name}`)
    this.wanted.set(declaration, withMember(current, path, value))
  }

  /** Returns a declaration as written, references to variables unexpanded. */
  bodyOf(section: string, name: string): Json | undefined {
    const node = this.declaration(section, name)?.value
    return node?.toJS(this.document) as Json | undefined // YAML contains no other types.
  }

  /** Returns everything in the file, references to variables unexpanded. */
  wholeFile(): Json {
    return (this.document.toJS() ?? null) as Json // YAML contains no other types.
  }

  private declaration(section: string, name: string): Field | undefined {
    const current = this.root && fieldOf(this.root, section)?.value
    return isMap(current) ? this.fieldsOf(current as unknown as Block).get(name) : undefined
  }

  private fieldsOf(block: Block): ReadonlyMap<string, Field> {
    const known = this.fields.get(block)
    if (known) return known
    const fields = new Map(block.items.map((field) => [nameOf(field) ?? '', field]))
    this.fields.set(block, fields)
    return fields
  }

  private change(): YamlChange {
    const { original, style } = this
    // The value in the form in which YAML reads it.
    const read = (node: Node | null | undefined) => node?.toJS(this.document) as Json | undefined
    return new YamlChange({ original, style, read })
  }

  private edited(current: Field, body: JsonObject): readonly Splice[] {
    const change = this.change()
    const name = nameOf(current) ?? ''
    const sections = this.root?.items.map(({ value }) => blockOf(value)) ?? []
    const section = sections.find((block) => block && this.fieldsOf(block).get(name) === current)
    // A declaration in a flow map is a member among others, without lines of its own.
    if (section?.flow) change.map(section, { ...Object(section.toJS(this.document)), [name]: body })
    else change.field(current, name, body)
    return change.splices
  }

  private addition(section: string, bodies: ReadonlyMap<string, JsonObject>): Splice {
    const { style, original } = this
    const current = this.root && fieldOf(this.root, section)
    const value = current?.value
    if (!current) return this.newSection(section, bodies)
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
    // Matches `agents:` and `agents: {}`, with any comment after it.
    const keyEnd = endOfKey(original, current.key)
    const valueEnd = endOfPair(original, current)
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

  /** Returns the value of a field, aliases followed. */
  private valueOf(current: Field | undefined): Json | undefined {
    return current?.value?.toJS(this.document)
  }
}

/** Sorts replacements at the same offset: additions come first. */
function inOrder(a: Splice, b: Splice): number {
  const isReplaced = ({ start, end }: Splice) => (end > start ? 1 : 0)
  return a.start - b.start || isReplaced(a) - isReplaced(b) || (b.column ?? 0) - (a.column ?? 0)
}

function fieldOf(block: Block, name: string): Field | undefined {
  return block.items.find(({ key }) => isScalar(key) && String(key.value) === name)
}
