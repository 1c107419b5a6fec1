// Edits inside braces and brackets. Members that stay keep their text, and the text between them.
import { isMap, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { canonical, isObject, type Json, ownMember } from '../value/tree.js'
import { alignedIndexes } from './aligned.js'
import { type ChangeRequest, endOf, flowMembers, flowText, nameOf, type Splice } from './yaml-text.js'

export type FlowNode = YAMLMap<Node, Node | null> | YAMLSeq<Node>

interface Member {
  readonly start: number
  readonly end: number
  /** Undefined: the member is removed. */
  readonly splices: readonly Splice[] | undefined
}

interface Addition {
  readonly text: string
  /** Number of members it is inserted after. */
  readonly behind: number
}

export function changeFlow(request: ChangeRequest, node: FlowNode, wanted: Json): readonly Splice[] {
  if (isMap(node) && isObject(wanted) && node.items.length > 0)
    return put(request, node, ...mapParts(request, node, wanted))
  if (!isMap(node) && Array.isArray(wanted) && node.items.length > 0)
    return put(request, node, ...listParts(request, node, wanted))
  return [replaceWhole(request, node, wanted)]
}

function replaceWhole({ original }: ChangeRequest, node: Node, wanted: Json): Splice {
  return { start: node.range?.[0] ?? 0, end: endOf(original, node), text: flowText(wanted) }
}

type Parts = readonly [members: readonly Member[], additions: readonly Addition[], wanted: Json]

function mapParts(request: ChangeRequest, node: YAMLMap<Node, Node | null>, wanted: Json): Parts {
  const values = isObject(wanted) ? wanted : {}
  const names = new Set(node.items.map(nameOf))
  const members = node.items.map((pair): Member => {
    const name = nameOf(pair)
    const [start, end] = bounds(request, pair)
    const value = name === undefined ? undefined : ownMember(values, name)
    if (name === undefined) return { start, end, splices: [] }
    if (value === undefined) return { start, end, splices: undefined }
    if (pair.value === null || pair.value.range?.[0] === pair.value.range?.[1]) {
      const isSame = canonical(request.read(pair.value) ?? null) === canonical(value)
      return { start, end, splices: isSame ? [] : [{ start, end, text: flowMembers({ [name]: value }) }] }
    }
    return { start, end, splices: valueSplices(request, pair.value, value) }
  })
  const added = Object.entries(values).filter(([name, value]) => !names.has(name) && value !== undefined)
  const additions = added.map(([name, value]) => ({ text: flowMembers({ [name]: value }), behind: members.length }))
  return [members, additions, wanted]
}

function listParts(request: ChangeRequest, node: YAMLSeq<Node>, wanted: Json): Parts {
  const values: readonly Json[] = Array.isArray(wanted) ? wanted : []
  const places = alignedIndexes(
    node.items.map((item) => request.read(item) ?? null),
    values,
  )
  const members = node.items.map((item, place): Member => {
    const index = places.indexOf(place)
    const start = item.range?.[0] ?? 0
    const end = endOf(request.original, item)
    return { start, end, splices: index < 0 ? undefined : valueSplices(request, item, values[index] ?? null) }
  })
  let behind = 0
  const additions = values.flatMap((value, index): readonly Addition[] => {
    const place = places[index]
    if (place !== undefined) behind = place + 1
    return place === undefined ? [{ text: flowText(value), behind }] : []
  })
  return [members, additions, wanted]
}

function valueSplices(request: ChangeRequest, node: Node, value: Json): readonly Splice[] {
  if (JSON.stringify(request.read(node)) === JSON.stringify(value)) return []
  const isDeep = isMap(node) ? isObject(value) : Array.isArray(value) && 'items' in node
  // A node with items is a map or a list.
  return isDeep ? changeFlow(request, node as FlowNode, value) : [replaceWhole(request, node, value)]
}

function bounds({ original }: ChangeRequest, { key, value }: Pair<Node, Node | null>): readonly [number, number] {
  const [start = 0, keyEnd = 0] = key.range ?? []
  const [valueStart = 0, valueEnd = 0] = value?.range ?? []
  if (value && valueEnd > valueStart) return [start, endOf(original, value)]
  const colon = /^\s*:/.exec(original.slice(keyEnd))
  return [start, keyEnd + (colon?.[0].length ?? 0)]
}

function put(
  request: ChangeRequest,
  node: FlowNode,
  members: readonly Member[],
  additions: readonly Addition[],
  wanted: Json,
): readonly Splice[] {
  const remaining = members.flatMap(({ splices }, index) => (splices === undefined ? [] : [index]))
  const [first] = remaining
  if (first === undefined) return [replaceWhole(request, node, wanted)]
  const removed = members.flatMap(({ start, end, splices }, index): readonly Splice[] => {
    if (splices !== undefined) return []
    // Returns the range of a member with the comma before it, or with the one after it if no member before it stays.
    return index < first
      ? [{ start, end: members[index + 1]?.start ?? end, text: '' }]
      : [{ start: members[index - 1]?.end ?? start, end, text: '' }]
  })
  const added = additions.map(({ text, behind }): Splice => {
    if (behind <= first) {
      const at = members[first]?.start ?? 0
      return { start: at, end: at, text: `${text}, ` }
    }
    const at = members[behind - 1]?.end ?? 0
    return { start: at, end: at, text: `, ${text}` }
  })
  return [...members.flatMap(({ splices }) => splices ?? []), ...removed, ...added]
}
