// Reads distinguished names, prints them as in RFC 4514, and compares them as in RFC 5280, 7.1.
import { type Element, encodingOf, tags } from '../asn1/element.js'
import { listOf, Members } from '../asn1/members.js'
import { oidOf, textOf } from '../asn1/values.js'

export interface DistinguishedName {
  readonly text: string
  /** Key for comparison: equal exactly for names that match. */
  readonly key: string
}

/** Short names of attribute types: those of RFC 4514, and others common in certificates of persons. */
const names: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
}

export function distinguishedName(element: Element): DistinguishedName {
  const parts = listOf(element, tags.sequence, 'Name').map((set) => listOf(set, tags.set, 'Name').map(attribute))
  return {
    text: parts
      .map((part) => part.map(({ text }) => text).join('+'))
      .reverse()
      .join(','),
    key: JSON.stringify(parts.map((part) => part.map(({ key }) => key).sort())),
  }
}

function attribute(element: Element) {
  const members = Members.of(element, 'Name')
  const type = oidOf(members.any())
  const value = members.any()
  members.end()
  const text = textOf(value)
  const hex = Buffer.from(encodingOf(value)).toString('hex')
  const key = `${type}=${text === undefined ? `#${hex}` : folded(text)}`
  const name = names[type]
  if (name === undefined || text === undefined) return { text: `${name ?? type}=#${hex}`, key }
  return { text: `${name}=${escaped(text)}`, key }
}

/** Returns the text without differences in letter case and repeated spaces. */
const folded = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

function escaped(text: string): string {
  return text
    .replace(/["+,;<>\\]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/(?<!^) $/, '\\ ')
    .replace(/\p{Cc}/gu, (character) =>
      [...Buffer.from(character, 'utf8')].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
    )
}
