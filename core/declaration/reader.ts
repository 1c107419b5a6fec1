// Turns YAML nodes into values, guided by a schema: variables are put in or left as placeholders, aliases of keys and
// words become canonical, secrets become text. What the schema says is wrong is told later; what cannot be a value now.
import { isAlias, isMap, isScalar, isSeq, type ParsedNode, type Scalar, type YAMLMap } from 'yaml'
import { placeholderMarks, variablePlaceholder } from '../value/placeholder.js'
import type { Json } from '../value/tree.js'
import type { Collector } from './collector.js'
import { declarationLimits } from './limits.js'
import { type Entry, type Nodes, rangeOf } from './nodes.js'
import { memberOf, narrow, type SchemaView } from './schema-view.js'
import { type Occurrence, substitute } from './substitute.js'
import { hint } from './suggestions.js'
import { withoutStandIns } from './unquoted.js'
import { dotenvName, type KnownVariables } from './variables.js'

export interface ReaderOptions {
  readonly nodes: Nodes
  readonly collector: Collector
  readonly variables: KnownVariables
  /** The file was repaired: texts hold stand-ins. */
  readonly hasStandIns: boolean
  /** Canonical provider names, or undefined for an unknown one. */
  providerName(name: string): string | undefined
  /** All canonical names, for suggestions. */
  providerNames(): readonly string[]
}

export interface ReadRequest {
  readonly schema: SchemaView
  /** Every text keeps its variables as placeholders, whatever the schema says (`providers.<name>`). */
  readonly isLate?: boolean
  /** The canonical spelling of a word: `im_type_a` under `channel.type`. */
  canonicalWord?(field: string, word: string): string
}

/** A local path or text file the value names. */
export interface NamedPath {
  readonly at: readonly (string | number)[]
  readonly node: ParsedNode
  readonly written: string
  readonly kind: 'file' | 'folder' | 'text'
  readonly mustHold?: string
}

export interface ReadResult {
  readonly value: Json
  readonly paths: readonly NamedPath[]
  /** Some text holds a placeholder. */
  readonly hasPlaceholders: boolean
  readonly unset: readonly UnsetVariable[]
}

export interface UnsetVariable {
  readonly name: string
  readonly node: ParsedNode
}

// The surrogate range with the `u` flag matches only halves of pairs. Form feeds occur in real texts and are harmless.
const refusedCharacters = /[\u0000-\u0008\u000e-\u001f\u007f]|[\ud800-\udfff]/u

export function hasRefusedCharacters(text: string): boolean {
  return refusedCharacters.test(text)
}

export class Reader {
  private request: ReadRequest = { schema: {} }
  private paths: NamedPath[] = []
  private unset: UnsetVariable[] = []
  private hasPlaceholders = false
  private aliasDepth = 0
  private readonly at: (string | number)[] = []

  constructor(private readonly options: ReaderOptions) {}

  read(node: ParsedNode | null, request: ReadRequest): ReadResult {
    this.request = request
    this.paths = []
    this.unset = []
    this.hasPlaceholders = false
    const value = this.node(node, request.schema) ?? null
    return { value, paths: this.paths, hasPlaceholders: this.hasPlaceholders, unset: this.unset }
  }

  private node(node: ParsedNode | null, schema: SchemaView | undefined): Json | undefined {
    const { nodes, collector } = this.options
    if (node === null) return null
    if (this.aliasDepth > 0 && !nodes.mayExpand(node)) return undefined
    if (isAlias(node)) {
      const target = nodes.resolve(node)
      if (!target || !nodes.mayExpand(node)) return undefined
      this.aliasDepth++
      const value = this.node(target, schema)
      this.aliasDepth--
      return value
    }
    if (this.at.length >= declarationLimits.depthMax) {
      collector.add('declaration.too-deep', rangeOf(node), {
        detail: `Values may be nested ${declarationLimits.depthMax} deep; an alias inside its own anchor never ends.`,
      })
      return undefined
    }
    if (node.tag !== undefined && !plainTags.has(node.tag)) {
      collector.add('declaration.tag', rangeOf(node), {
        detail: 'Only plain text, numbers, true, false, maps and lists are understood.',
      })
      return undefined
    }
    const meant = schema?.anyOf ? this.branch(node, schema) : schema
    if (isMap(node)) return this.map(node, meant)
    if (isSeq(node)) return this.list(node.items, meant)
    return this.scalar(node, meant)
  }

  /** The branch of a union this node is meant to be; undefined reads as free text, and the check tells why. */
  private branch(node: ParsedNode, union: SchemaView): SchemaView | undefined {
    const shape = isMap(node)
      ? 'map'
      : isSeq(node)
        ? 'list'
        : isScalar(node) && typeof node.value === 'string'
          ? 'text'
          : 'other'
    const found = narrow(union, {
      shape,
      text: (key, member) => {
        if (!isMap(node)) return undefined
        const entry = this.options.nodes.entries(node).find((known) => known.key === key)
        const target = entry?.value && this.options.nodes.resolve(entry.value)
        if (!isScalar(target) || typeof target.value !== 'string') return undefined
        return this.canonical(this.known(target.value), member)
      },
    })
    return found.type === 'branch' ? found.schema : undefined
  }

  private map(node: YAMLMap.Parsed, schema: SchemaView | undefined): Json {
    const result: Record<string, Json> = {}
    for (const entry of this.options.nodes.entries(node)) {
      const key = this.canonicalKey(node, entry, schema)
      if (hasRefusedCharacters(key)) {
        this.tellControlCharacter(entry.keyNode)
        continue
      }
      if (Object.hasOwn(result, key)) {
        this.options.collector.add('declaration.duplicate-key', rangeOf(entry.keyNode), {
          detail: `"${entry.key}" is another spelling of "${key}", which stands in the same map.`,
        })
        continue
      }
      this.at.push(key)
      const value = this.node(entry.value, memberOf(schema, key))
      this.at.pop()
      // Assigning `__proto__` would set the prototype instead of a member.
      if (value !== undefined)
        Object.defineProperty(result, key, { value, enumerable: true, writable: true, configurable: true })
    }
    return result
  }

  private list(items: readonly (ParsedNode | null)[], schema: SchemaView | undefined): Json {
    return items.map((item, index) => {
      this.at.push(index)
      const value = this.node(item, schema?.items)
      this.at.pop()
      return value ?? null
    })
  }

  private scalar(node: Scalar.Parsed, schema: SchemaView | undefined): Json | undefined {
    const { value } = node
    if (typeof value === 'string') return this.text(value, node, schema)
    if (typeof value === 'number' || typeof value === 'bigint') {
      if (schema?.['x-secret'] && node.source !== undefined) return this.text(node.source, node, schema)
      if (Number.isFinite(Number(value))) return Number(value)
    }
    if (typeof value === 'boolean' || value === null) return value
    this.options.collector.add('declaration.wrong-type', rangeOf(node), {
      detail: 'The value is not one that JSON can say.',
    })
    return undefined
  }

  private text(raw: string, node: Scalar.Parsed, schema: SchemaView | undefined): string | undefined {
    const text = this.options.hasStandIns ? withoutStandIns(raw) : raw
    if (hasRefusedCharacters(text)) {
      this.tellControlCharacter(node)
      return undefined
    }
    if (schema?.['x-text-or-path'] && isPath(text)) return this.path(text.trim(), node, 'text', undefined)
    if (schema?.['x-path']) return this.path(text, node, schema['x-path'], schema['x-must-hold'])
    const substituted = text.includes('${') ? this.substituted(text, node, schema) : text
    if (schema?.['x-secret'] && substituted !== '' && substituted === text) this.literalSecret(text, node)
    return this.canonical(substituted, schema)
  }

  private substituted(text: string, node: Scalar.Parsed, schema: SchemaView | undefined): string {
    const isScript = schema?.['x-dotenv-only'] === true
    const isLate = this.request.isLate || isFreeText(schema)
    const { text: result, isMalformed } = substitute(text, (found) => {
      if (isScript) return this.scriptVariable(found, node)
      return isLate ? this.lateVariable(found, node) : this.earlyVariable(found, node)
    })
    if (isMalformed && !isScript) {
      this.options.collector.add('variable.malformed', rangeOf(node), {
        detail:
          'A variable is ${, a name of letters, digits and _, perhaps :- and a default without another variable, and }.',
      })
    }
    return result
  }

  /** Stays a placeholder: the value is put in when it is compared or sent. */
  private lateVariable({ name, fallback }: Occurrence, node: ParsedNode): string {
    const value = this.lookUp(name, node)
    if (value === '' && fallback !== undefined) return fallback
    if (value === undefined && fallback === undefined) this.unset.push({ name, node })
    this.options.variables.hide(value)
    this.hasPlaceholders = true
    return variablePlaceholder(name, fallback)
  }

  /** The value at once; a placeholder only where there is none. */
  private earlyVariable({ name, fallback }: Occurrence, node: ParsedNode): string {
    const value = this.lookUp(name, node)
    if (fallback !== undefined) return value || fallback // As in a shell, empty counts as unset.
    if (value !== undefined) return value
    this.unset.push({ name, node })
    this.hasPlaceholders = true
    return variablePlaceholder(name)
  }

  private scriptVariable({ name, written }: Occurrence, node: ParsedNode): string {
    if (!this.options.variables.isInDotenv(name)) return written
    const key = dotenvName(name)
    this.options.variables.hide(this.lookUp(key, node))
    this.hasPlaceholders = true
    return variablePlaceholder(key)
  }

  private lookUp(name: string, node: ParsedNode): string | undefined {
    const value = this.options.variables.value(name)
    if (value === undefined || !placeholderMarks.test(value)) return value
    this.options.collector.add('variable.control-character', rangeOf(node), {
      detail: `The value of ${name} cannot be used.`,
    })
    return ''
  }

  /** With the variables that have a value put in. */
  private known(text: string): string {
    if (!text.includes('${')) return text
    return substitute(text, ({ name, fallback, written }) => this.options.variables.value(name) || fallback || written)
      .text
  }

  private canonical(text: string, schema: SchemaView | undefined): string {
    const field = schema?.['x-words']
    if (field !== undefined) return this.request.canonicalWord?.(field, text) ?? text
    if (schema?.['x-provider']) return this.options.providerName(text) ?? text
    return text
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
      const detail = `There is no provider "${key}". ${hint(key, providerNames())}`
      collector.add('provider.unknown', rangeOf(keyNode), { detail })
    }
    return name
  }

  private path(text: string, node: Scalar.Parsed, kind: NamedPath['kind'], mustHold: string | undefined): string {
    const { text: written } = substitute(text, (found) => this.earlyVariable(found, node))
    this.paths.push({ at: [...this.at], node, written, kind, ...(mustHold === undefined ? {} : { mustHold }) })
    return written
  }

  private literalSecret(text: string, node: Scalar.Parsed): void {
    const { collector, variables } = this.options
    variables.hide(text)
    collector.text.hide(rangeOf(node))
    collector.add('declaration.literal-secret', rangeOf(node), {
      detail: 'Whoever sees the file, or its history, sees the secret.',
    })
  }

  private tellControlCharacter(node: ParsedNode): void {
    this.options.collector.add('declaration.control-character', rangeOf(node), {
      detail:
        'Control characters and halves of surrogate pairs cannot be sent, and some have a meaning inside this program.',
    })
  }
}

const plainTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
)

/** One line without blanks that begins like a path or ends like the name of a text file. */
export function isPath(text: string): boolean {
  const line = text.trim()
  return /^\S+$/.test(line) && (/^\.{0,2}\//.test(line) || /\.(md|txt)$/.test(line))
}

/** Words are put in at once; only free text waits. */
function isFreeText(schema: SchemaView | undefined): boolean {
  if (schema === undefined || schema['x-json']) return true
  return (
    schema.type === 'string' &&
    !schema['x-word'] &&
    !schema['x-provider'] &&
    !schema['x-name-of'] &&
    schema.const === undefined &&
    schema.enum === undefined
  )
}
