// Creates the nodes that the YAML parser would. The types of its parsed nodes require a range, which is set here too,
// and tokens of the source, which the parser sets only on request.
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
