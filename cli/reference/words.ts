// Sentences about a key that the terminal and the page share.
import type { Json } from '../../core/value/tree.js'
import type { ExplainedKey } from './reference.js'
import type { Remark } from './support.js'

/** Returns facts as sentences: `Default: allow.`, `1 to 255 characters.`, `Also written mcpServerName.` */
export function factsOf({ default: fallback, limits, aliases }: ExplainedKey): readonly string[] {
  return [
    ...(fallback === undefined ? [] : [`Default: ${inlineYaml(fallback)}.`]),
    ...limits.map((limit) => `${limit[0]?.toUpperCase()}${limit.slice(1)}.`),
    ...(aliases.length === 0 ? [] : [`Also written ${aliases.join(', ')}.`]),
  ]
}

/** Merges equal remarks of several lanes. */
export function groupedRemarks(remarks: readonly Remark[]): readonly GroupedRemark[] {
  const groups = new Map<string, { readonly lanes: string[]; readonly remark: Remark }>()
  for (const remark of remarks) {
    const key = JSON.stringify([remark.severity, remark.text, remark.values])
    const group = groups.get(key) ?? { lanes: [], remark }
    groups.set(key, group)
    group.lanes.push(remark.lane)
  }
  return [...groups.values()].map(({ lanes, remark }) => ({
    lanes,
    text: `${verbOf(remark)}: ${remark.text}`,
    code: remark.code,
  }))
}

export interface GroupedRemark {
  readonly lanes: readonly string[]
  /** Text with its verb, `refused: Environments carry …`. */
  readonly text: string
  readonly code: string
}

function verbOf({ severity, values }: Remark): string {
  const verb = { error: 'refused', warning: 'with a warning', note: 'with a note' }[severity]
  if (values.length === 0) return verb
  const words = values.filter((value) => typeof value !== 'object').map(inlineYaml)
  return words.length === values.length ? `${words.join(', ')} ${verb}` : `in part ${verb}`
}

/** Returns the value as YAML on one line. */
export function inlineYaml(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inlineYaml).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${key}: ${inlineYaml(member ?? null)}`)
    return `{ ${members.join(', ')} }`
  }
  return typeof value === 'string' && /^[*&!|>%@`#\s]|[:,[\]{}#]/.test(value) ? JSON.stringify(value) : String(value)
}
