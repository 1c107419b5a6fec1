// Creates signature dictionaries, without `/ByteRange` and `/Contents` (ISO 32000-2, tables 255 to 259).
import type { PDFDocument, PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { DocMdpPermission, FieldLock } from '../contract/signatures/field-lock.js'
import type { SignaturePrepare } from '../contract/signatures/preparation.js'
import { signatureHandler } from '../contract/signatures/seed-entries.js'
import { pdfDateOfIso } from '../objects/written-dates.js'
import { putLock } from './field-lock.js'

/** Version of the parameters of a transform. */
const transformVersion = '1.2'
const program = 'Steward'

export interface SignatureContent {
  readonly subFilter: string
  readonly signer: NonNullable<SignaturePrepare['signer']>
  readonly certify: DocMdpPermission | undefined
  readonly lock: FieldLock | undefined
}

/** Returns a reference to the new dictionary of an approval signature or a certification. */
export function createSignature(change: Change, content: SignatureContent): PDFObject {
  const { pdf } = change
  const signature = beginDictionary(pdf, 'Sig', content.subFilter)
  const { name, reason, location, contactInfo, signedAt } = content.signer
  const texts = { Name: name, Reason: reason, Location: location, ContactInfo: contactInfo }
  for (const [key, text] of Object.entries(texts)) if (text !== undefined) signature.put(key, pdf.newString(text))
  signature.put('M', pdf.newString(writtenDate(signedAt ?? new Date(change.stamp.now).toISOString())))
  const references = referencesOf(change, content)
  if (references.length > 0) signature.put('Reference', references)
  signature.put('Prop_Build', buildProperties(pdf))
  return change.create(signature)
}

/** Returns a reference to the new dictionary of a document timestamp. */
export const createTimestamp = (change: Change): PDFObject =>
  change.create(beginDictionary(change.pdf, 'DocTimeStamp', timestampSubFilter))

export const timestampSubFilter = 'ETSI.RFC3161'

function beginDictionary(pdf: PDFDocument, type: string, subFilter: string): PDFObject {
  const dictionary = pdf.newDictionary()
  dictionary.put('Type', pdf.newName(type))
  dictionary.put('Filter', pdf.newName(signatureHandler))
  dictionary.put('SubFilter', pdf.newName(subFilter))
  return dictionary
}

function writtenDate(iso: string): string {
  const date = pdfDateOfIso(iso)
  if (date === undefined) throw new JobRefusal('InvalidArg', 'The signing time does not exist', { member: 'signedAt' })
  return date
}

function referencesOf({ pdf, document }: Change, { certify, lock }: SignatureContent): PDFObject {
  const references = pdf.newArray()
  if (certify !== undefined) {
    const parameters = beginParameters(pdf)
    parameters.put('P', certify)
    references.push(referenceTo(pdf, 'DocMDP', parameters))
  }
  if (lock !== undefined) {
    const parameters = beginParameters(pdf)
    putLock(pdf, parameters, lock)
    const reference = referenceTo(pdf, 'FieldMDP', parameters)
    reference.put('Data', document.catalog)
    references.push(reference)
  }
  return references
}

function beginParameters(pdf: PDFDocument): PDFObject {
  const parameters = pdf.newDictionary()
  parameters.put('Type', pdf.newName('TransformParams'))
  parameters.put('V', pdf.newName(transformVersion))
  return parameters
}

function referenceTo(pdf: PDFDocument, method: string, parameters: PDFObject): PDFObject {
  const reference = pdf.newDictionary()
  reference.put('Type', pdf.newName('SigRef'))
  reference.put('TransformMethod', pdf.newName(method))
  reference.put('TransformParams', parameters)
  return reference
}

function buildProperties(pdf: PDFDocument): PDFObject {
  const [properties, application] = [pdf.newDictionary(), pdf.newDictionary()]
  application.put('Name', pdf.newName(program))
  properties.put('App', application)
  return properties
}
