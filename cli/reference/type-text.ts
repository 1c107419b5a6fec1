// Describes types and limits of a key in words.
import type { SchemaView } from '../../core/declaration/schema-view.js'

/** Returns the type for people: `text`, `allow | ask`, `list of names of skills`, … */
export function typeText(schema: SchemaView): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeText))].join(' or ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(' | ')
  if (schema['x-name-of'] !== undefined) return `name of ${withArticle(schema['x-name-of'].replaceAll('_', ' '))}`
  if (schema['x-provider']) return 'name of a provider'
  if (schema['x-path'] !== undefined) return `path of a ${schema['x-path']}`
  if (schema['x-text-or-path']) return 'text, or path of a text file'
  if (schema['x-json']) return 'any value'
  if (schema['x-secret']) return 'text or number, secret'
  const [free] = Object.values(schema.patternProperties ?? {})
  if (schema['x-per-provider']) return `map of provider to ${free ? typeText(free) : 'any value'}`
  if (free) return `map of name to ${typeText(free)}`
  if (schema.type === 'object') return 'map'
  if (schema.type === 'array') return `list of ${schema.items ? plural(typeText(schema.items)) : 'any values'}`
  return typeNames[schema.type ?? ''] ?? 'any value'
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'whole number',
  number: 'number',
}

/** Returns the limits for people: `1 to 255 characters`, `at most 50 items`, … */
export function limitsOf(schema: SchemaView): readonly string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, minProperties, maxProperties, pattern } = schema
  const alternatives = (schema.anyOf ?? [schema]).flatMap(({ oneOf = [] }) => oneOf.flatMap(({ required }) => required))
  const hasPattern = pattern === undefined ? [] : [`matches \`${pattern}\``]
  return [
    ...bounds(minLength === 1 && maxLength === undefined ? undefined : minLength, maxLength, 'character'),
    ...(minLength === 1 && maxLength === undefined ? ['not empty'] : []),
    ...bounds(minimum, maximum, ''),
    ...bounds(minItems, maxItems, 'item'),
    ...bounds(minProperties, maxProperties, 'key'),
    ...(schema.multipleOf === undefined ? [] : [`a multiple of ${schema.multipleOf}`]),
    ...hasPattern,
    ...(alternatives.length === 0 ? [] : [`exactly one of ${alternatives.join(', ')}`]),
  ]
}

function bounds(least: number | undefined, most: number | undefined, noun: string): readonly string[] {
  const unit = noun === '' ? '' : ` ${noun}${(most ?? least) === 1 ? '' : 's'}`
  const of = (text: string) => [text + unit]
  if (least === undefined) return most === undefined ? [] : of(`at most ${most}`)
  if (most === undefined) return of(`at least ${least}`)
  return least === most ? of(`exactly ${least}`) : of(`${least} to ${most}`)
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`
}

const plurals: Readonly<Record<string, string>> = { text: 'texts', map: 'maps', 'text or map': 'texts or maps' }

function plural(type: string): string {
  const found = plurals[type]
  if (found !== undefined) return found
  const name = /^name of an? (.+?)( or map)?$/.exec(type)
  if (!name) return type
  const [, noun = '', orMap] = name
  return `names of ${noun.replace(/y$/, 'ie')}s${orMap ? ', or maps' : ''}`
}
