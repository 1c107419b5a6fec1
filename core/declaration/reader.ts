// Converts YAML nodes into values, guided by a schema: inserts variables or leaves placeholders, replaces aliases of
// keys and words by canonical spellings, and reads secrets as text. Only nodes that cannot be values are reported here;
// violations of the schema are reported later.
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml'
import { hint } from '../value/suggestions.js'
import type { Json } from '../value/tree.js'
import { declarationLimits } from './limits.js'
import { type Entry, type Nodes, rangeOf } from './nodes.js'
import { memberOf, narrow, type SchemaView, type Shape } from './schema-view.js'
import {
  hasRefusedCharacters,
  type NamedPath,
  type ReadRequest,
  type TextOptions,
  TextReader,
  type Trace,
  type UnsetVariable,
  unreadable,
} from './text-reader.js'

export interface ReaderOptions extends TextOptions {
  readonly nodes: Nodes
  /** Canonical names of all providers, for suggestions. */
  providerNames(): readonly string[]
}

export type ReadResult = Readonly<Pick<Trace, 'hasPlaceholders'>> & {
  readonly value: Json
  readonly paths: readonly NamedPath[]
  readonly unset: readonly UnsetVariable[]
  readonly inserted: ReadonlyMap<string, string>
}

export class Reader {
  private readonly texts: TextReader
  private aliasDepth = 0

  constructor(private readonly options: ReaderOptions) {
    this.texts = new TextReader(options)
  }

  /** Reads a node. A missing node has the value null. */
  read(node: ParsedNode | null, request: ReadRequest): ReadResult {
    const trace: Trace = { request, at: [], paths: [], unset: [], inserted: new Map(), hasPlaceholders: false }
    const value = this.node(node, request.schema, trace)
    const { paths, unset, inserted, hasPlaceholders } = trace
    return { value, paths, unset, inserted, hasPlaceholders }
  }

  private node(node: ParsedNode | null, schema: SchemaView | undefined, trace: Trace): Json {
    const { nodes, collector } = this.options
    if (node === null) return null
    if (this.aliasDepth > 0 && !nodes.mayExpand(node)) return unreadable
    if (isAlias(node)) {
      const target = nodes.resolve(node)
      if (!target || !nodes.mayExpand(node)) return unreadable
      this.aliasDepth++
      const value = this.node(target, schema, trace)
      this.aliasDepth--
      return value
    }
    if (trace.at.length >= declarationLimits.depthMax) {
      collector.add('declaration.too-deep', rangeOf(node), {
        detail: `Values may be nested ${declarationLimits.depthMax} deep; an alias inside its own anchor never ends.`,
      })
      return unreadable
    }
    if (node.tag !== undefined && !plainTags.has(node.tag)) {
      collector.add('declaration.tag', rangeOf(node), {
        detail: `${node.tag} is not known; texts, numbers, true, false, maps and lists need no tag.`,
      })
      return unreadable
    }
    const meant = schema?.anyOf ? this.branch(node, schema, trace) : schema
    if (isMap(node)) return this.map(node, meant, trace)
    if (isSeq(node)) return this.list(node.items, meant, trace)
    return this.scalar(node, meant, trace)
  }

  /**
   * Returns the branch of a union that the node matches. Undefined: the node is read as free text, and the schema check
   * reports the reason.
   */
  private branch(node: ParsedNode, union: SchemaView, trace: Trace): SchemaView | undefined {
    const found = narrow(union, {
      shape: shapeOfNode(node),
      text: (key, member) => {
        if (!isMap(node)) return undefined
        const entry = this.options.nodes.entries(node).find((known) => known.key === key)
        const target = entry?.value && this.options.nodes.resolve(entry.value)
        if (!isScalar(target) || typeof target.value !== 'string') return undefined
        return this.texts.known(target.value, member, trace)
      },
    })
    return found.type === 'branch' ? found.schema : undefined
  }

  private map(node: YAMLMap.Parsed, schema: SchemaView | undefined, trace: Trace): Json {
    const result: Record<string, Json> = {}
    for (const entry of this.options.nodes.entries(node)) {
      const key = this.canonicalKey(node, entry, schema)
      if (hasRefusedCharacters(key)) {
        this.texts.reportControlCharacter(entry.keyNode)
        continue
      }
      if (Object.hasOwn(result, key)) {
        this.options.collector.add('declaration.duplicate-key', rangeOf(entry.keyNode), {
          detail: `"${entry.key}" is another spelling of "${key}", which is in the same map.`,
        })
        continue
      }
      trace.at.push(key)
      const isNoProvider = schema?.['x-per-provider'] && this.options.providerName(key) === undefined
      const value = isNoProvider ? unreadable : this.node(entry.value, memberOf(schema, key), trace)
      trace.at.pop()
      setMember(result, key, value)
    }
    return result
  }

  private list(items: readonly (ParsedNode | null)[], schema: SchemaView | undefined, trace: Trace): Json {
    return items.map((item, index) => {
      trace.at.push(index)
      const value = this.node(item, schema?.items, trace)
      trace.at.pop()
      return value
    })
  }

  private scalar(node: Scalar.Parsed, schema: SchemaView | undefined, trace: Trace): Json {
    const { value } = node
    if (typeof value === 'string') return this.texts.read(value, node, schema, trace)
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (schema?.['x-secret'] && node.source !== undefined) return this.texts.read(node.source, node, schema, trace)
      if (Number.isInteger(Number(value)) && !Number.isSafeInteger(Number(value))) return this.tooLarge(node)
      if (Number.isFinite(Number(value))) return Number(value)
    }
    if (typeof value === 'boolean' || value === null) return value
    this.options.collector.add('declaration.wrong-type', rangeOf(node), {
      detail: 'JSON cannot represent the value.',
    })
    return unreadable
  }

  private tooLarge(node: Scalar.Parsed): Json {
    this.options.collector.add('declaration.invalid-value', rangeOf(node), {
      detail: 'The number has more digits than can be stored.',
      fix: node.source === undefined ? 'Use a smaller number.' : `Quote it if it is a text: "${node.source}".`,
    })
    return unreadable
  }

  private canonicalKey(map: YAMLMap.Parsed, entry: Entry, schema: SchemaView | undefined): string {
    const { key } = entry
    const aliases = schema?.['x-aliases']
    const canonical = schema?.['x-per-provider']
      ? this.providerKey(entry)
      : aliases && Object.hasOwn(aliases, key)
        ? aliases[key]
        : undefined
    if (canonical === undefined || canonical === key) return key
    this.options.nodes.rename(map, canonical, key)
    return canonical
  }

  private providerKey({ key, keyNode }: Entry): string | undefined {
    const { providerName, providerNames, collector } = this.options
    const name = providerName(key)
    if (name === undefined) {
      const detail = `This map is by provider, and there is no provider "${key}". ${hint(key, providerNames())}`
      collector.add('provider.unknown', rangeOf(keyNode), { detail })
    }
    return name
  }
}

function shapeOfNode(node: ParsedNode): Shape {
  if (isMap(node)) return 'map'
  if (isSeq(node)) return 'list'
  return isScalar(node) && typeof node.value === 'string' ? 'text' : 'other'
}

/**
 * Sets a member. An assignment to `__proto__` would set the prototype instead, so that member is defined; defining all
 * of them would be slow.
 */
function setMember(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
  else target[key] = value
}

const plainTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
)
