// Reads the YAML tree: follows aliases, applies merge keys, checks keys, and finds the place in the file where the value at a
// path is written.
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml'
import type { NodePath } from '../plugin/declaration.js'
import type { Collector } from './collector.js'
import { declarationLimits } from './limits.js'
import type { Range } from './source-text.js'

export interface Entry {
  readonly key: string
  readonly keyNode: ParsedNode
  /** Node of the value; null for a key without a value. */
  readonly value: ParsedNode | null
}

export class Nodes {
  private anchors: ReadonlyMap<ParsedNode, ParsedNode> | undefined
  private aliasNodes = 0
  private readonly mapEntries = new Map<YAMLMap.Parsed, readonly Entry[]>()
  /** Keys as written by their canonical spelling, if the two differ. */
  private readonly written = new Map<YAMLMap.Parsed, Map<string, string>>()

  constructor(
    private readonly root: YAMLMap.Parsed,
    private readonly collector: Collector,
  ) {}

  /** Returns the node, or the target of an alias; undefined if there is no target, which is reported. */
  resolve(node: ParsedNode): ParsedNode | undefined {
    if (!isAlias(node)) return node
    this.anchors ??= anchorsOf(this.root)
    const target = this.anchors.get(node)
    if (!target) {
      this.collector.add('declaration.unknown-alias', rangeOf(node), {
        detail: `There is no anchor &${node.source} before it.`,
      })
    }
    return target
  }

  /** Counts a node reached through an alias. Returns false, and reports it once, when the file expands to too many. */
  mayExpand(node: ParsedNode): boolean {
    if (++this.aliasNodes <= declarationLimits.aliasNodesMax) return true
    if (this.aliasNodes === declarationLimits.aliasNodesMax + 1) {
      this.collector.add('declaration.too-many-aliases', rangeOf(node), {
        detail: `Following the aliases of this file leads to more than ${declarationLimits.aliasNodesMax} values.`,
      })
    }
    return false
  }

  /** Returns keys and values, including merged ones. Problems of keys are reported at the first call for a map. */
  entries(map: YAMLMap.Parsed): readonly Entry[] {
    const known = this.mapEntries.get(map)
    if (known) return known
    this.mapEntries.set(map, []) // Ends the recursion for a map that is merged into itself.
    const own = new Map<string, Entry>()
    const merged: ParsedNode[] = []
    for (const pair of map.items) {
      const { key: keyNode, value } = pair
      if (isMergeKey(keyNode)) {
        if (value) merged.push(value)
        continue
      }
      const key = this.keyText(keyNode)
      if (key === undefined) continue
      if (own.has(key)) {
        const first = own.get(key)
        const line = first && this.collector.text.place(rangeOf(first.keyNode)).line
        this.collector.add('declaration.duplicate-key', rangeOf(keyNode), {
          detail: `"${key}" is already in line ${line}, and only one of the two can count.`,
        })
        continue
      }
      own.set(key, { key, keyNode, value })
    }
    for (const source of merged)
      for (const entry of this.mergedEntries(source)) if (!own.has(entry.key)) own.set(entry.key, entry)
    const entries = [...own.values()]
    this.mapEntries.set(map, entries)
    return entries
  }

  /** Records the spelling of a key in the file, if it differs from the canonical one. */
  rename(map: YAMLMap.Parsed, canonical: string, written: string): void {
    const names = this.written.get(map) ?? new Map<string, string>()
    names.set(canonical, written)
    this.written.set(map, names)
  }

  /** Returns the position of the deepest existing node on the path; with `onKey`, the position of its key. */
  locate(start: Entry, path: NodePath, onKey = false): Range {
    let { value, keyNode }: { value: ParsedNode | null; keyNode: ParsedNode | null } = start
    for (const step of path) {
      const target = value && this.resolve(value)
      const next = isMap(target) ? this.entryOf(target, String(step)) : isSeq(target) ? itemOf(target, step) : undefined
      if (!next) return rangeOf(value ?? keyNode ?? start.keyNode)
      value = next.value
      keyNode = next.keyNode
    }
    return rangeOf((onKey ? keyNode : undefined) ?? value ?? keyNode ?? start.keyNode)
  }

  private entryOf(map: YAMLMap.Parsed, canonical: string): Entry | undefined {
    const written = this.written.get(map)?.get(canonical) ?? canonical
    return this.entries(map).find(({ key }) => key === written)
  }

  private keyText(node: ParsedNode | null): string | undefined {
    if (isScalar(node) && typeof node.value === 'string') return node.value
    const range = node ? rangeOf(node) : undefined
    const source = isScalar(node) && typeof node.source === 'string' ? node.source : undefined
    this.collector.add('declaration.key-not-text', range, {
      detail: source ? `YAML takes ${source} for a number, a truth value or nothing.` : 'Only text can be a key.',
      ...(source ? { fix: `Write "${source}":` } : {}),
    })
    return undefined
  }

  private mergedEntries(source: ParsedNode): readonly Entry[] {
    const target = this.resolve(source)
    if (isMap(target)) return this.mayExpand(target) ? this.entries(target) : []
    const parts = isSeq(target) ? target.items : []
    const maps = parts.map((part) => this.resolve(part))
    if (target && (parts.length === 0 || !maps.every((part) => isMap(part)))) {
      this.collector.add('declaration.merge', rangeOf(source), { detail: 'Only maps can be merged into a map.' })
      return []
    }
    return maps.flatMap((part) => (isMap(part) && this.mayExpand(part) ? this.entries(part) : []))
  }
}

function itemOf(
  list: YAMLSeq.Parsed,
  step: string | number,
): { readonly value: ParsedNode; readonly keyNode: null } | undefined {
  const item = list.items[Number(step)]
  return item && { value: item, keyNode: null }
}

export function rangeOf(node: ParsedNode): Range {
  return node.range ? [node.range[0], node.range[1]] : [0, 0]
}

function isMergeKey(node: ParsedNode | null): boolean {
  return isScalar(node) && node.value === '<<' && node.type === 'PLAIN'
}

/** Maps every alias to the last node before it that has the anchor. */
function anchorsOf(root: YAMLMap.Parsed): ReadonlyMap<ParsedNode, ParsedNode> {
  const named = new Map<string, ParsedNode>()
  const targets = new Map<ParsedNode, ParsedNode>()
  const waiting: (ParsedNode | null)[] = [root] // A stack in document order, without recursion that could overflow.
  while (waiting.length > 0) {
    const node = waiting.pop()
    if (!node) continue
    if (isAlias(node)) {
      const target = named.get(node.source)
      if (target) targets.set(node, target)
      continue
    }
    if (node.anchor) named.set(node.anchor, node)
    if (isMap(node)) for (const { key, value } of node.items.toReversed()) waiting.push(value, key)
    else if (isSeq(node)) for (const item of node.items.toReversed()) waiting.push(item)
  }
  return targets
}
