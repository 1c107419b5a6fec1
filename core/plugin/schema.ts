// Building blocks for the schemas of kinds and providers. The annotations (`x-…`) contain facts for the declaration
// stage that plain JSON Schema cannot express: which text may wait for a variable, which one names a file, which one is
// secret.
import { type TSchema, type TSchemaOptions, Type } from 'typebox'
import type { Json } from '../value/tree.js'

/** Free text: a `${VAR}` inside it stays a placeholder until the value is sent, and makes the leaf sensitive. */
export const Text = (options: TSchemaOptions & { minLength?: number; maxLength?: number } = {}) => Type.String(options)

/** Free text that is a secret even when written out: never shown, never stored. Numbers count as text. */
export const Secret = (options: TSchemaOptions = {}) => Type.String({ ...options, 'x-secret': true })

/**
 * Structural word (a name, an enumerated value, a value with a pattern): a `${VAR}` inside it is replaced before any
 * check.
 */
export const Word = (options: TSchemaOptions & { minLength?: number; maxLength?: number; pattern?: string } = {}) =>
  Type.String({ ...options, 'x-word': true })

/**
 * Base address of an API. It may contain no password, because addresses are shown to people; keys have a field of their
 * own.
 */
export const ApiAddress = (options: TSchemaOptions & { minLength?: number } = {}) =>
  Word({
    pattern: '^(https?://[^\\s/?#@]+(/[^\\s?#]*)?)?$',
    'x-address': true,
    ...options,
  })

/** API key that is sent in a header, which accepts printable ASCII only; line breaks around it are removed. */
export const ApiKey = (options: TSchemaOptions & { minLength?: number } = {}) =>
  Secret({ pattern: '^[\\r\\n\\t]*[\\x20-\\x7e]*[\\r\\n\\t]*$', ...options })

/** Name of a provider; aliases become the canonical name. */
export const ProviderName = (options: TSchemaOptions = {}) =>
  Type.String({
    description: 'The provider this belongs to. Where it is left out, defaults.provider decides.',
    ...options,
    'x-provider': true,
  })

/** Map by provider name; aliases become the canonical name. */
export const PerProvider = <Item extends TSchema>(item: Item, options: TSchemaOptions = {}) =>
  Type.Record(Type.String(), item, { ...options, 'x-per-provider': true })

/** Logical name of another declaration. */
export const NameOf = (kind: string, options: TSchemaOptions = {}) =>
  Type.String({ description: `Name of a declared ${kind.replaceAll('_', ' ')}.`, ...options, 'x-name-of': kind })

/** Path on the local disk, relative to agents.yaml. The file or folder must exist. */
export const LocalPath = (kind: 'file' | 'folder', options: TSchemaOptions = {}) =>
  Type.String({ ...options, 'x-path': kind })

/** Inline text, or the path of a text file (agent configuration 2.11 `instructions`). */
export const TextOrPath = (options: TSchemaOptions = {}) => Type.String({ ...options, 'x-text-or-path': true })

/** One of these words, which the JSON Schema for editors lists. */
export const OneOf = <const Words extends readonly string[]>(words: Words, options: TSchemaOptions = {}) =>
  Type.Unsafe<Words[number]>(Type.Enum([...words], options))

/** Any JSON value; strings inside are free text. */
export const AnyJson = (options: TSchemaOptions = {}) => Type.Unsafe<Json>({ ...options, 'x-json': true })

export const StringMap = (options: TSchemaOptions = {}) => Type.Record(Type.String(), Text(), options)

export interface ExactOptions extends TSchemaOptions {
  readonly minProperties?: number
  readonly maxProperties?: number
  /** Other spellings of keys: alias to canonical. */
  readonly 'x-aliases'?: Readonly<Record<string, string>>
  /** Keys that other tools use for the same value and that are refused here, mapped to the keys of this file. */
  readonly 'x-meant'?: Readonly<Record<string, string>>
  /** Refused keys that people are likely to write, with the reason as one full sentence each. */
  readonly 'x-refused'?: Readonly<Record<string, string>>
}

/** An object whose unknown keys are errors. */
export const Exact = <Properties extends Parameters<typeof Type.Object>[0]>(
  properties: Properties,
  options: ExactOptions = {},
) => Type.Object(properties, { additionalProperties: false, ...options })
