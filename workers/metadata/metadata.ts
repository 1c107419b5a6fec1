// What a document says about itself, in two places: the information dictionary and the XMP packet. Where they differ,
// the one that was written later holds; without dates to tell, the dictionary, because tools that know only one of the
// two know that one (ISO 32000-2, 14.3.3). What only one place says is taken from there.
import type { PDFObject } from 'mupdf'
import type { DocumentMetadata } from '../contract/document-metadata.js'
import type { Reading } from '../document/reading.js'
import { isoOfPdfDate } from '../objects/dates.js'
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

/** A name by the standard; some writers put a boolean or a string there. */
const trappedIn = (value: PDFObject) => trappedOf(nameOf(value) ?? textOf(value) ?? booleanOf(value)?.toString())

function isLater(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && Date.parse(one) > Date.parse(other)
}
