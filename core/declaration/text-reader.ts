// Reads one text of the file: inserts variables or leaves placeholders, and collects local paths and secrets.

import type { ParsedNode, Scalar } from 'yaml'
import {
  asNames,
  inLowerCase,
  outputPlaceholder,
  placeholderMarks,
  placeholdersIn,
  variablePlaceholder,
} from '../value/placeholder.js'
import { isPlainHttp } from '../value/plain-http.js'
import type { Collector } from './collector.js'
import { declarationLimits } from './limits.js'
import { rangeOf } from './nodes.js'
import type { SchemaView } from './schema-view.js'
import { type Occurrence, substitute } from './substitute.js'
import { withoutStandIns } from './unquoted.js'
import type { KnownVariables } from './variables.js'

export interface TextOptions {
  readonly collector: Collector
  readonly variables: KnownVariables
  /** True if the file was repaired: texts then contain stand-ins. */
  readonly hasStandIns: boolean
  /** Returns the canonical provider name, or undefined for an unknown one. */
  providerName(name: string): string | undefined
}

export interface ReadRequest {
  readonly schema: SchemaView
  /** True if every text retains its variables as placeholders, whatever the schema says (`providers.<name>`). */
  readonly isLate?: boolean
  /** Returns the canonical spelling of an enumerated value: `im_type_a` under `channel.type`. */
  canonicalWord?(field: string, word: string): string
}

/** Path of a local file or folder that a value names. */
export interface NamedPath {
  readonly at: readonly (string | number)[]
  readonly node: ParsedNode
  readonly written: string
  /** Text as written in the file, if variables were inserted into it. */
  readonly unexpanded?: string
  readonly kind: 'file' | 'folder' | 'text'
  readonly mustHold?: string
}

export interface UnsetVariable {
  readonly name: string
  readonly node: ParsedNode
}

/** Paths and inserted values that were found while one value was read. */
export interface Trace {
  readonly request: ReadRequest
  /** Path of the node being read. */
  readonly at: (string | number)[]
  readonly paths: NamedPath[]
  readonly unset: UnsetVariable[]
  /** Values of variables inserted while reading, and texts with such values, mapped to their form with placeholders. */
  readonly inserted: Map<string, string>
  /** True if some text contains a placeholder. */
  hasPlaceholders: boolean
}

// Form feeds occur in real texts and are harmless. With the `u` flag the last range matches only unpaired surrogates.
const controlCharacters = /[\u0000-\u0008\u000e-\u001f\u007f]/
const surrogates = /[\ud800-\udfff]/
const halfPairs = /[\ud800-\udfff]/u

export function hasRefusedCharacters(text: string): boolean {
  return controlCharacters.test(text) || (surrogates.test(text) && halfPairs.test(text))
}

/**
 * Placeholder for a value that could not be read. The error is already reported, and nothing more is reported about the
 * value.
 */
export const unreadable = outputPlaceholder('', 'unreadable')

export class TextReader {
  constructor(private readonly options: TextOptions) {}

  read(raw: string, node: Scalar.Parsed, schema: SchemaView | undefined, trace: Trace): string {
    const text = this.options.hasStandIns ? withoutStandIns(raw) : raw
    if (hasRefusedCharacters(text)) {
      this.reportControlCharacter(node)
      return unreadable
    }
    if (schema?.['x-text-or-path'] && isPath(text)) return this.path(text.trim(), node, { kind: 'text' }, trace)
    if (schema?.['x-path']) {
      const mustHold = schema['x-must-hold']
      return this.path(text, node, { kind: schema['x-path'], ...(mustHold === undefined ? {} : { mustHold }) }, trace)
    }
    const substituted = text.includes('${') ? this.substituted(text, node, schema, trace) : text
    if (schema?.['x-secret'] && substituted !== '' && substituted === text) this.literalSecret(text, node)
    // An address is refused possibly because it contains a password, so it is hidden.
    if (schema?.['x-address'] && text.includes('@')) this.hide(text, node)
    if (schema?.['x-address'] && isPlainHttp(substituted)) this.plainHttp(node)
    return this.canonical(substituted, schema, trace)
  }

  /** Returns the text with inserted values of the variables that have one, to decide how to read it. */
  known(text: string, schema: SchemaView, trace: Trace): string {
    const { variables } = this.options
    const { text: known } = substitute(
      text,
      ({ name, fallback, written }) => variables.value(name) || fallback || written,
    )
    return this.canonical(known, schema, trace)
  }

  reportControlCharacter(node: ParsedNode): void {
    this.options.collector.add('declaration.control-character', rangeOf(node), {
      detail: 'Control characters and unpaired surrogates cannot be sent, and some have a meaning inside this program.',
    })
  }

  private substituted(text: string, node: ParsedNode, schema: SchemaView | undefined, trace: Trace): string {
    const isLate = trace.request.isLate || isFreeText(schema)
    const { text: result, isMalformed } = substitute(text, (found) => {
      return isLate ? this.lateVariable(found, node, trace) : this.earlyVariable(found, node, schema, trace)
    })
    this.noteWhole(text, schema, isLate ? undefined : trace)
    if (isMalformed) {
      this.options.collector.add('variable.malformed', rangeOf(node), {
        detail:
          'A variable is ${, a name of letters, digits and _, perhaps :- and a default without another variable, and }.',
      })
    }
    return result
  }

  /** Returns a placeholder: the value is inserted when the text is compared or sent. */
  private lateVariable({ name, fallback }: Occurrence, node: ParsedNode, trace: Trace): string {
    const value = this.lookUp(name, node)
    if (value === '' && fallback !== undefined) return fallback
    if (value === undefined && fallback === undefined) trace.unset.push({ name, node })
    this.options.variables.hide(value)
    trace.hasPlaceholders = true
    return variablePlaceholder(name, fallback)
  }

  /** Returns the value itself; a placeholder only if the variable is unset. */
  private earlyVariable(
    { name, fallback }: Occurrence,
    node: ParsedNode,
    schema: SchemaView | undefined,
    trace: Trace,
  ): string {
    const value = this.lookUp(name, node)
    if (value) {
      if (!isListed(schema)) this.note(name, value, trace)
      return value
    }
    if (fallback !== undefined) return fallback // An empty value counts as unset, as in a shell.
    if (value !== undefined) return value
    trace.unset.push({ name, node })
    trace.hasPlaceholders = true
    return variablePlaceholder(name)
  }

  private note(name: string, value: string, trace: Trace): void {
    this.options.variables.hide(value)
    insert(trace, value, variablePlaceholder(name))
  }

  /**
   * Records the whole text around a value, because it reveals the value. A short value is hidden only together with
   * that text.
   */
  private noteWhole(text: string, schema: SchemaView | undefined, early: Trace | undefined): void {
    const { variables } = this.options
    const { text: whole } = substitute(text, ({ name, fallback = '' }) => variables.value(name) || fallback)
    const { text: open } = substitute(text, ({ name, fallback = '' }) =>
      variables.value(name) ? variablePlaceholder(name) : fallback,
    )
    if (whole === open || placeholderMarks.test(whole)) return
    variables.name(whole, asNames(open))
    if (isListed(schema)) return
    const values = placeholdersIn(open).flatMap((one) => (one.type === 'variable' ? [variables.value(one.name)] : []))
    if (values.some((value = '') => value.length < declarationLimits.maskedLengthMin)) variables.hide(whole)
    if (early) insert(early, whole, open)
  }

  private lookUp(name: string, node: ParsedNode): string | undefined {
    const value = this.options.variables.use(name)
    if (value === undefined || !placeholderMarks.test(value)) return value
    const detail = `The value of ${name} cannot be used.`
    this.options.collector.add('variable.control-character', rangeOf(node), { detail })
    return ''
  }

  private canonical(text: string, schema: SchemaView | undefined, { request }: Trace): string {
    const field = schema?.['x-words']
    if (field !== undefined) return request.canonicalWord?.(field, text) ?? text
    if (schema?.['x-provider']) return this.options.providerName(text) ?? text
    return text
  }

  private path(text: string, node: ParsedNode, named: Pick<NamedPath, 'kind' | 'mustHold'>, trace: Trace): string {
    const { text: written } = substitute(text, (found) => this.earlyVariable(found, node, undefined, trace))
    // Handlers send the names of files without their folders.
    for (const part of [text, ...text.split('/')]) this.noteWhole(part, undefined, trace)
    trace.paths.push({ at: [...trace.at], node, written, ...(written === text ? {} : { unexpanded: text }), ...named })
    return written
  }

  private literalSecret(text: string, node: ParsedNode): void {
    this.hide(text, node)
    const detail = 'Whoever sees the file, or its history, sees the secret.'
    this.options.collector.add('declaration.literal-secret', rangeOf(node), { detail })
  }

  private plainHttp(node: ParsedNode): void {
    const detail = 'Everybody on the network path can read the key and everything else that is sent.'
    this.options.collector.add('declaration.plain-http', rangeOf(node), { detail })
  }

  private hide(text: string, node: ParsedNode): void {
    this.options.variables.hide(text)
    this.options.collector.text.hide(rangeOf(node))
  }
}

/** Records an inserted value, also in lower case, because handlers send some values, such as hosts, in lower case. */
function insert({ inserted }: Trace, text: string, open: string): void {
  if (!inserted.has(text)) inserted.set(text, open)
  const small = text.toLowerCase()
  if (!inserted.has(small)) inserted.set(small, inLowerCase(open))
}

/** True for one line without blanks that begins like a path or ends like the name of a text file. */
export function isPath(text: string): boolean {
  const line = text.trim()
  return /^\S+$/.test(line) && (/^\.{0,2}\//.test(line) || /\.(md|txt)$/.test(line))
}

/** True if the schema allows only a few public words, or a name that is declared elsewhere in the file. */
function isListed(schema: SchemaView | undefined): boolean {
  if (schema === undefined) return false
  return (
    schema.enum !== undefined ||
    schema.const !== undefined ||
    schema['x-provider'] === true ||
    schema['x-name-of'] !== undefined
  )
}

/** True for free text, whose variables are inserted late. Those of other texts are inserted while reading. */
function isFreeText(schema: SchemaView | undefined): boolean {
  if (schema === undefined || schema['x-json']) return true
  const isWord = schema['x-word'] || schema['x-provider'] || schema['x-name-of'] !== undefined
  return schema.type === 'string' && !isWord && schema.const === undefined && schema.enum === undefined
}
