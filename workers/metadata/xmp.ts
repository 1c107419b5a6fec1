// Reads the XMP packet of a document: the few properties that have a member on the wire, by namespace and not by
// prefix.
import type { DocumentMetadata } from '../contract/document-metadata.js'
import type { IsoDate } from '../contract/iso-date.js'
import { isoOfXmpDate } from '../contract/pdf-dates.js'
import type { Reading } from '../document/reading.js'
import { readingLimits } from '../objects/reading-limits.js'
import { booleanOf, entry } from '../objects/values.js'
import { elementsIn, parseXml, textIn, type XmlElement } from '../text/xml.js'
import { type Namespaces, namespacesOf, outside, qualified, xmpNamespaces } from '../text/xml-namespaces.js'
import { trappedOf } from './trapped.js'

/** Metadata members from one of the two places; null = missing there. */
export type MetadataSource = {
  readonly [Member in keyof DocumentMetadata]: DocumentMetadata[Member] | null
}

export interface Xmp {
  readonly members: MetadataSource
  readonly writtenAt: IsoDate | null
}

const { dc, pdf, xmp, rdf } = xmpNamespaces

export function readXmp(reading: Reading): Xmp {
  const properties = propertiesOf(packetOf(reading))
  const text = (name: string): string | null => {
    const value = properties.get(name)
    return value === undefined || value === '' ? null : reading.budget.takeText(value)
  }
  const date = (name: string): IsoDate | null => isoOfXmpDate(properties.get(name))
  const modifiedAt = date(`${xmp}ModifyDate`)
  return {
    members: {
      title: text(`${dc}title`),
      author: text(`${dc}creator`),
      subject: text(`${dc}description`),
      keywords: text(`${pdf}Keywords`),
      producer: text(`${pdf}Producer`),
      creator: text(`${xmp}CreatorTool`),
      createdAt: date(`${xmp}CreateDate`),
      modifiedAt,
      trapped: trappedOf(properties.get(`${pdf}Trapped`)),
    },
    writtenAt: laterDate(date(`${xmp}MetadataDate`), modifiedAt),
  }
}

/** Returns the packet; empty if there is none or it is unreadable. */
export function packetOf(reading: Reading): string {
  const { catalog, document } = reading
  // The engine would decrypt the packet even if the document declares it unencrypted, and return garbage.
  if (booleanOf(entry(document.trailer, 'Encrypt', 'EncryptMetadata')) === false) return ''
  return reading.longText(entry(catalog, 'Metadata'), readingLimits.xmpBytesMax) ?? ''
}

function laterDate(one: IsoDate | null, other: IsoDate | null): IsoDate | null {
  if (one === null || other === null) return one ?? other
  return Date.parse(one) > Date.parse(other) ? one : other
}

/** Returns values by namespace and local name, from the first description that has the property. */
function propertiesOf(packet: string): ReadonlyMap<string, string> {
  const properties = new Map<string, string>()
  const add = (name: string, value: string): void => {
    if (!properties.has(name)) properties.set(name, value)
  }
  for (const { element, namespaces } of descriptionsIn(parseXml(packet), outside)) {
    for (const [name, value] of element.attributes) add(qualified(name, namespaces), value)
    for (const property of elementsIn(element)) {
      const value = valueIn(property, namespacesOf(property, namespaces))
      if (value !== undefined) add(qualified(property.name, namespacesOf(property, namespaces)), value)
    }
  }
  return properties
}

interface ScopedElement {
  readonly element: XmlElement
  readonly namespaces: Namespaces
}

function* descriptionsIn(element: XmlElement, outer: Namespaces): Generator<ScopedElement> {
  const namespaces = namespacesOf(element, outer)
  if (qualified(element.name, namespaces) === `${rdf}Description`) yield { element, namespaces }
  else for (const child of elementsIn(element)) yield* descriptionsIn(child, namespaces)
}

/** Returns the text, the default language of an alternative, or the joined members of a list. */
function valueIn(property: XmlElement, namespaces: Namespaces): string | undefined {
  const list = elementsIn(property)[0]
  if (list === undefined) return textIn(property).trim()
  const kind = qualified(list.name, namespacesOf(list, namespaces))
  const items = elementsIn(list)
  if (kind === `${rdf}Alt`) {
    const standard = items.find(({ attributes }) => attributes.get('xml:lang') === 'x-default') ?? items[0]
    return standard === undefined ? undefined : textIn(standard).trim()
  }
  return items.length === 0 ? undefined : items.map((item) => textIn(item).trim()).join('; ')
}
