// Sorts the top-level keys of the file: version, project, providers, defaults, one section for each kind, and `x-…`.
import { isMap, isScalar, type YAMLMap } from 'yaml'
import type { Kind } from '../plugin/kind.js'
import { hint } from '../value/suggestions.js'
import type { Stage } from './checked.js'
import { type Entry, rangeOf } from './nodes.js'

const supportedVersion = '1'

export interface TopLevel {
  readonly defaults: Entry | undefined
  readonly project: Entry | undefined
  readonly sections: readonly { readonly entry: Entry; readonly kind: Kind }[]
}

type Tools = Pick<Stage, 'collector' | 'nodes'>

export interface TopLevelRequest {
  /** Kinds by section. */
  readonly kinds: ReadonlyMap<string, Kind>
  /** True if a plugin could not be loaded. The kinds that it defines are unknown, so unknown sections may be right. */
  readonly mayHaveMore: boolean
}

export function readTopLevel(tools: Tools, root: YAMLMap.Parsed, { kinds, mayHaveMore }: TopLevelRequest): TopLevel {
  const { collector, nodes } = tools
  const found = new Map(nodes.entries(root).map((entry) => [entry.key, entry]))
  const known = ['version', 'project', 'providers', 'defaults', ...kinds.keys()]
  const sections: { readonly entry: Entry; readonly kind: Kind }[] = []
  for (const [key, entry] of found) {
    const kind = kinds.get(key)
    if (kind) sections.push({ entry, kind })
    else if (!known.includes(key) && !key.startsWith('x-') && !mayHaveMore) {
      const detail = `"${key}" is not a key of the file. ${hint(key, known)}`
      collector.add('declaration.unknown-key', rangeOf(entry.keyNode), { detail })
    }
  }
  checkVersion(tools, root, found.get('version'))
  return { defaults: found.get('defaults'), project: found.get('project'), sections }
}

function checkVersion({ collector, nodes }: Tools, root: YAMLMap.Parsed, entry: Entry | undefined): void {
  if (!entry) {
    const detail = 'The file does not say which version of the format it has.'
    collector.add('declaration.missing-key', firstLine(root), {
      detail,
      fix: `Add version: "${supportedVersion}" as the first line.`,
    })
    return
  }
  const node = entry.value && nodes.resolve(entry.value)
  const value = isScalar(node) ? node.value : undefined
  if (value === supportedVersion) return
  const detail =
    typeof value === 'number'
      ? 'The version is a number, and a text is needed: without quotes 1.10 would be the same as 1.1.'
      : `The only version there is so far is "${supportedVersion}".`
  const fix = typeof value === 'number' ? 'Quote it: version: "1".' : 'Write version: "1".'
  collector.add('declaration.version', rangeOf(entry.value ?? entry.keyNode), { detail, fix })
}

/** Returns the entries below `providers`. */
export function readProviderEntries({ collector, nodes }: Tools, root: YAMLMap.Parsed): readonly Entry[] {
  const entry = nodes.entries(root).find(({ key }) => key === 'providers')
  const node = entry?.value && nodes.resolve(entry.value)
  const entries = isMap(node) ? nodes.entries(node) : []
  if (node && !isMap(node) && !(isScalar(node) && node.value === null)) {
    collector.add('declaration.wrong-type', rangeOf(node), {
      detail: 'providers is a map from provider name to its configuration.',
    })
  } else if (entries.length === 0) {
    const range = entry ? rangeOf(entry.keyNode) : firstLine(root)
    collector.add('provider.none', range, { detail: 'Without a provider the declarations go nowhere.' })
  }
  return entries
}

function firstLine(root: YAMLMap.Parsed): readonly [number, number] {
  const key = root.items[0]?.key
  return key ? rangeOf(key) : rangeOf(root)
}
