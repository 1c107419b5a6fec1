// Members of a document's metadata into an XMP packet (ISO 16684-1): wherever the packet says something else of them, that
// goes, and one description says what holds now. Everything else in the packet stays.
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsIn, isElement, parseXml, writtenXml, type XmlElement, type XmlNode } from '../../text/xml.js'
import { type Namespaces, namespacesOf, outside, qualified, xmpNamespaces } from '../../text/xml-namespaces.js'
import type { Member, Members } from './information.js'

const { dc, pdf, xmp, rdf } = xmpNamespaces

interface Property {
  readonly prefix: keyof typeof xmpNamespaces
  readonly name: string
  /** A text in each of several languages, a list in order, or plain text. */
  readonly form: 'alternatives' | 'list' | 'plain'
}

const properties: Readonly<Record<Member, Property>> = {
  title: { prefix: 'dc', name: 'title', form: 'alternatives' },
  author: { prefix: 'dc', name: 'creator', form: 'list' },
  subject: { prefix: 'dc', name: 'description', form: 'alternatives' },
  keywords: { prefix: 'pdf', name: 'Keywords', form: 'plain' },
  producer: { prefix: 'pdf', name: 'Producer', form: 'plain' },
  creator: { prefix: 'xmp', name: 'CreatorTool', form: 'plain' },
  createdAt: { prefix: 'xmp', name: 'CreateDate', form: 'plain' },
  modifiedAt: { prefix: 'xmp', name: 'ModifyDate', form: 'plain' },
  trapped: { prefix: 'pdf', name: 'Trapped', form: 'plain' },
}

const trapped: Readonly<Record<string, string>> = { true: 'True', false: 'False', unknown: 'Unknown' }

/** Undefined = the packet has no place for it: it is no RDF. */
export function withMembers(packet: string, values: Members): string | undefined {
  const said = membersOf(values)
  const replaced = new Set<string>(said.map(([member]) => qualifiedName(member)))
  const writing: PacketWriting = { replaced, description: descriptionOf(said), isWritten: false }
  // Bounded by the bytes of the packet: what is not read here would be lost.
  const root = rewritten(parseXml(packet, readingLimits.xmpBytesMax), outside, writing)
  if (root === undefined || !writing.isWritten) return undefined
  const inside = writtenXml(root).trim()
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${inside}\n<?xpacket end="w"?>`
}

interface PacketWriting {
  readonly replaced: ReadonlySet<string>
  readonly description: XmlElement | undefined
  isWritten: boolean
}

/** Undefined = nothing of the element is left. */
function rewritten(element: XmlElement, outer: Namespaces, writing: PacketWriting): XmlElement | undefined {
  const namespaces = namespacesOf(element, outer)
  const name = qualified(element.name, namespaces)
  if (name === `${rdf}Description`) return withoutReplaced(element, namespaces, writing)
  const children = element.children.flatMap((child): XmlNode[] => {
    const kept = isElement(child) ? rewritten(child, namespaces, writing) : child
    return kept === undefined ? [] : [kept]
  })
  if (name === `${rdf}RDF` && !writing.isWritten) {
    writing.isWritten = true
    if (writing.description !== undefined) children.push(writing.description)
  }
  return { ...element, children }
}

function withoutReplaced(
  element: XmlElement,
  namespaces: Namespaces,
  { replaced }: PacketWriting,
): XmlElement | undefined {
  const isReplaced = (name: string, at: Namespaces): boolean => replaced.has(qualified(name, at))
  const attributes = new Map([...element.attributes].filter(([name]) => !isReplaced(name, namespaces)))
  const children = element.children.filter(
    (child) => !isElement(child) || !isReplaced(child.name, namespacesOf(child, namespaces)),
  )
  const stripped = { ...element, attributes, children }
  const says = [...attributes.keys()].some(
    (name) => !name.startsWith('xmlns') && qualified(name, namespaces) !== `${rdf}about`,
  )
  return says || elementsIn(stripped).length > 0 ? stripped : undefined
}

function descriptionOf(said: readonly (readonly [Member, string | null])[]): XmlElement | undefined {
  const children = said.flatMap(([member, value]) => (value === null ? [] : [propertyOf(member, value)]))
  if (children.length === 0) return undefined
  const declared = { rdf, dc, pdf, xmp }
  const attributes = new Map<string, string>(Object.entries(declared).map(([prefix, uri]) => [`xmlns:${prefix}`, uri]))
  return { name: 'rdf:Description', attributes: attributes.set('rdf:about', ''), children }
}

function propertyOf(member: Member, value: string): XmlElement {
  const { prefix, name, form } = properties[member]
  return elementOf(`${prefix}:${name}`, [forms[form](member === 'trapped' ? (trapped[value] ?? value) : value)])
}

const forms: Readonly<Record<Property['form'], (value: string) => XmlNode>> = {
  alternatives: (value) => elementOf('rdf:Alt', [elementOf('rdf:li', [value], new Map([['xml:lang', 'x-default']]))]),
  list: (value) => elementOf('rdf:Seq', [elementOf('rdf:li', [value])]),
  plain: (value) => value,
}

const elementOf = (
  name: string,
  children: readonly XmlNode[],
  attributes: ReadonlyMap<string, string> = new Map(),
): XmlElement => ({ name, attributes, children })

function membersOf(values: Members): readonly (readonly [Member, string | null])[] {
  const known = Object.keys(properties).filter((key): key is Member => key in properties)
  return known.flatMap((member) => {
    const value = values[member]
    return value === undefined ? [] : [[member, value] as const]
  })
}

function qualifiedName(member: Member): string {
  const { prefix, name } = properties[member]
  return `${xmpNamespaces[prefix]}${name}`
}
