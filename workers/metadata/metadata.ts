// Reads a document's metadata from the information dictionary and the XMP packet. If they differ, the one written later
// takes precedence; without dates, the dictionary, because tools that support only one of the two support the
// dictionary (ISO 32000-2, 14.3.3). Members missing in one are taken from the other.
import type { PDFObject } from 'mupdf'
import type { DocumentMetadata } from '../contract/document-metadata.js'
import { isoOfPdfDate } from '../contract/pdf-dates.js'
import type { Reading } from '../document/reading.js'
import { booleanOf, entry, nameOf, textOf } from '../objects/values.js'
import { trappedOf } from './trapped.js'
import { type MetadataSource, readXmp } from './xmp.js'

export function readMetadata(reading: Reading): DocumentMetadata {
  const information = readInformation(reading)
  const { members, writtenAt } = readXmp(reading)
  const [first, second] = isLater(writtenAt, information.modifiedAt) ? [members, information] : [information, members]
  const take = <Member extends keyof DocumentMetadata>(member: Member) => first[member] ?? second[member]
  return {
    title: take('title'),
    author: take('author'),
    subject: take('subject'),
    keywords: take('keywords'),
    producer: take('producer'),
    creator: take('creator'),
    createdAt: take('createdAt'),
    modifiedAt: take('modifiedAt'),
    trapped: take('trapped') ?? 'unknown',
  }
}

function readInformation(reading: Reading): MetadataSource {
  const information = entry(reading.document.trailer, 'Info')
  const text = (key: string) => reading.text(information, key) || null
  return {
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    producer: text('Producer'),
    creator: text('Creator'),
    createdAt: isoOfPdfDate(textOf(entry(information, 'CreationDate'))),
    modifiedAt: isoOfPdfDate(textOf(entry(information, 'ModDate'))),
    trapped: trappedIn(entry(information, 'Trapped')),
  }
}

/** Reads /Trapped: a name by the standard; some writers store a boolean or a string. */
const trappedIn = (value: PDFObject) => trappedOf(nameOf(value) ?? textOf(value) ?? booleanOf(value)?.toString())

function isLater(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && Date.parse(one) > Date.parse(other)
}
