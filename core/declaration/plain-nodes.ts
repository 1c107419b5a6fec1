// Nodes as the YAML parser makes them. Its types differ from those of nodes made by hand in that a range is always
// there, which is so here too, and in the tokens of the source, which are only there when they are asked for.
import { type Pair, type ParsedNode, Scalar, YAMLMap, YAMLSeq } from 'yaml'

export type ScalarStyle = 'PLAIN' | 'QUOTE_DOUBLE' | 'QUOTE_SINGLE' | 'BLOCK_LITERAL'

export interface Span {
  readonly start: number
  /** Offset after the last character. */
  readonly end: number
}

export function scalarNode(value: unknown, source: string, type: ScalarStyle, span: Span): Scalar.Parsed {
  return Object.assign(new Scalar(value), { source, type, range: rangeOf(span) }) as Scalar.Parsed
}

export function mapNode(items: Pair<ParsedNode, ParsedNode>[], span: Span): YAMLMap.Parsed {
  return Object.assign(new YAMLMap<ParsedNode, ParsedNode>(), { items, range: rangeOf(span) }) as YAMLMap.Parsed
}

export function listNode(items: ParsedNode[], span: Span): YAMLSeq.Parsed {
  return Object.assign(new YAMLSeq<ParsedNode>(), { items, range: rangeOf(span) }) as YAMLSeq.Parsed
}

function rangeOf({ start, end }: Span): [start: number, valueEnd: number, nodeEnd: number] {
  return [start, end, end]
}
