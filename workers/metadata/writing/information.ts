// Writes members of a document's metadata into the information dictionary (ISO 32000-2, 14.3.3).
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import type { DocumentMetadata } from '../../contract/document-metadata.js'
import { pdfDateOfIso } from '../../objects/written-dates.js'

export type Member = keyof DocumentMetadata
/** Metadata members to write; null removes a member. */
export type Members = { readonly [M in Member]?: DocumentMetadata[M] | null }

type Write = (change: Change, value: string) => PDFObject | undefined

const text: Write = ({ pdf }, value) => pdf.newString(value)
const date: Write = ({ pdf }, value) => {
  const written = pdfDateOfIso(value)
  return written === undefined ? undefined : pdf.newString(written)
}
const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', unknown: 'Unknown' }

const entries: Readonly<Record<Member, { readonly key: string; readonly write: Write }>> = {
  title: { key: 'Title', write: text },
  author: { key: 'Author', write: text },
  subject: { key: 'Subject', write: text },
  keywords: { key: 'Keywords', write: text },
  producer: { key: 'Producer', write: text },
  creator: { key: 'Creator', write: text },
  createdAt: { key: 'CreationDate', write: date },
  modifiedAt: { key: 'ModDate', write: date },
  trapped: { key: 'Trapped', write: ({ pdf }, value) => pdf.newName(words[value] ?? 'Unknown') },
}

export const members = Object.keys(entries).filter((member): member is Member => member in entries)

export function writeInformation(change: Change, values: Members): void {
  const information = change.touchInfo()
  for (const member of members) {
    const value = values[member]
    if (value === undefined) continue
    const { key, write } = entries[member]
    const written = value === null ? undefined : write(change, value)
    if (written === undefined) information.delete(key)
    else information.put(key, written)
  }
}
