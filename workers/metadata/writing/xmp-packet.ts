// Writes members of a document's metadata into an XMP packet (ISO 16684-1): removes all existing values of these
// members and adds one description with the new ones. Everything else in the packet is unchanged.
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsIn, isElement, parseXml, writtenXml, type XmlElement, type XmlNode } from '../../text/xml.js'
import { type Namespaces, namespacesOf, outside, qualified, xmpNamespaces } from '../../text/xml-namespaces.js'
import type { Member, Members } from './information.js'

const { dc, pdf, xmp, rdf } = xmpNamespaces

interface Property {
  readonly prefix: keyof typeof xmpNamespaces
  readonly name: string
  /** Form of the property. `alternatives`: a text per language; `list`: an ordered list; `plain`: plain text. */
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

/** Returns undefined if the packet contains no RDF. */
export function withMembers(packet: string, values: Members): string | undefined {
  const written = membersOf(values)
  const replaced = new Set<string>(written.map(([member]) => qualifiedName(member)))
  const writing: PacketWriting = { replaced, description: descriptionOf(written), isWritten: false }
  // The number of elements is limited only by the packet's size: elements that were not parsed would be lost.
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

/** Returns the element without the members; undefined if nothing of it remains. */
function rewritten(element: XmlElement, outer: Namespaces, writing: PacketWriting): XmlElement | undefined {
  const namespaces = namespacesOf(element, outer)
  const name = qualified(element.name, namespaces)
  if (name === `${rdf}Description`) return withoutReplaced(element, namespaces, writing)
  const children = element.children.flatMap((child): XmlNode[] => {
    const retained = isElement(child) ? rewritten(child, namespaces, writing) : child
    return retained === undefined ? [] : [retained]
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

function descriptionOf(written: readonly (readonly [Member, string | null])[]): XmlElement | undefined {
  const children = written.flatMap(([member, value]) => (value === null ? [] : [propertyOf(member, value)]))
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
