// Parses an XML file into a tree with positions. Document types are refused, and with them entities and what they could
// load or multiply; so is the first error of syntax.
import { SaxesParser } from 'saxes'
import { JobRefusal } from '../../contract/job-refusal.js'
import { exchangeLimits } from '../exchange-limits.js'
import { tooMany } from '../read-source.js'
import { decodedXml } from './decoded-xml.js'

export interface XmlTree {
  /** Name without prefix, and its namespace; empty = none. */
  readonly name: string
  readonly namespace: string
  /** Attributes by name; those of a namespace by their prefixed name. */
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly (XmlTree | string)[]
  /** Line and column of the end of the start tag, from 1. */
  readonly line: number
  readonly column: number
}

interface Building extends XmlTree {
  readonly children: (XmlTree | string)[]
}

/** Returns the root element. Throws `InvalidArg` with line and column, and `PayloadTooLarge`. */
export function parseXmlTree(bytes: Uint8Array): XmlTree {
  const text = decodedXml(bytes)
  const parser = new SaxesParser({ xmlns: true, position: true })
  const place = () => ({ line: parser.line, column: parser.column + 1 })
  const open: Building[] = []
  let root: XmlTree | undefined
  let elements = 0
  let attributes = 0
  parser.on('error', ({ message }) => {
    throw malformed(message.replace(/^\d+:\d+: /, ''), place())
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?(8|16)$/i.test(encoding)) {
      throw malformed('the encoding must be UTF-8 or UTF-16', place())
    }
  })
  parser.on('doctype', () => {
    throw malformed('a document type (<!DOCTYPE …>) is not accepted: remove it', place())
  })
  parser.on('attribute', () => {
    if (++attributes > exchangeLimits.attributesMax) {
      throw tooMany('attributesMax', 'An element of the XML has too many attributes', attributes)
    }
  })
  parser.on('opentag', (tag) => {
    attributes = 0
    if (++elements > exchangeLimits.elementsMax) throw tooMany('elementsMax', 'The XML has too many elements', elements)
    if (open.length >= exchangeLimits.xmlDepthMax) {
      throw tooMany('xmlDepthMax', 'The elements of the XML are nested too deeply', open.length + 1)
    }
    const values = Object.entries(tag.attributes).map(([name, { value }]) => [name, value] as const)
    const element = { name: tag.local, namespace: tag.uri, attributes: new Map(values), children: [], ...place() }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  const addText = (piece: string) => void open.at(-1)?.children.push(piece)
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  if (root === undefined) throw malformed('there is no element', place())
  return root
}

interface Place {
  readonly line: number
  readonly column: number
}

const malformed = (problem: string, { line, column }: Place): JobRefusal =>
  new JobRefusal('InvalidArg', `The XML is malformed at ${line}:${column}: ${problem}`, { line, column })

export const isElement = (node: XmlTree | string): node is XmlTree => typeof node !== 'string'

export const elementsIn = ({ children }: XmlTree): readonly XmlTree[] => children.filter(isElement)

export const childNamed = (element: XmlTree, name: string): XmlTree | undefined =>
  elementsIn(element).find((child) => child.name === name)

/** Returns all text of an element, whose depth the parser limits. */
export const textIn = ({ children }: XmlTree): string =>
  children.map((child) => (isElement(child) ? textIn(child) : child)).join('')
