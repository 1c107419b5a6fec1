// Edits of agents.yaml that keep its comments and layout: only what changes is written again.
import { type Document, isMap, isScalar, parseDocument, type YAMLMap } from 'yaml'
import type { Json, JsonObject } from '../value/tree.js'

export class YamlEdit {
  private readonly document: Document.Parsed
  private isChanged = false

  constructor(private readonly original: string) {
    this.document = parseDocument(original)
  }

  /** The file as it was when nothing was edited. */
  text(): string {
    if (!this.isChanged) return this.original
    return this.document.toString({ lineWidth: 0, flowCollectionPadding: !/\[\S/.test(this.original) })
  }

  /** Adds a declaration at the end of its section, which is added when it is missing. */
  add(section: string, name: string, body: JsonObject): void {
    const held = this.document.get(section)
    if (!isMap(held)) {
      this.document.set(section, this.document.createNode({}))
      this.separateLast()
    }
    this.document.setIn([section, name], this.document.createNode(body))
    this.isChanged = true
  }

  /** Replaces one field of a declaration; undefined removes it. A scalar keeps the comment behind it. */
  setField(section: string, name: string, field: string, value: Json | undefined): void {
    const path = [section, name, field]
    const held = this.document.getIn(path, true)
    if (value === undefined) this.document.deleteIn(path)
    else if (isScalar(held) && (typeof value !== 'object' || value === null)) held.value = value
    else this.document.setIn(path, this.document.createNode(value))
    this.isChanged = true
  }

  /** A declaration as written, references to variables unexpanded. */
  bodyOf(section: string, name: string): Json | undefined {
    const node = this.document.getIn([section, name])
    return isMap(node) ? (node.toJS(this.document) as Json) : undefined
  }

  /** A blank line before a section that was just added. */
  private separateLast(): void {
    const root = this.document.contents as YAMLMap | null
    const last = root?.items.at(-1)
    if (last && isScalar(last.key)) last.key.spaceBefore = true
  }
}
