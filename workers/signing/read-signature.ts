// Reads the signature of a field from a file that was just signed.

import { isoOfPdfDate } from '../contract/pdf-dates.js'
import type { DocumentProtection } from '../contract/signatures/protection.js'
import type { Signature } from '../contract/signatures/signature.js'
import { openFile } from '../document/open-file.js'
import { Reading } from '../document/reading.js'
import { fieldFamilyOf } from '../fields/field-kind.js'
import { revisionEnds } from '../file/revisions.js'
import { findFields } from '../forms/reading/fields.js'
import { FormWidgets } from '../forms/reading/form-widgets.js'
import type { OpenedFrom } from '../messages/task.js'
import { entry, nameOf, numbersOf, stringBytesOf, textOf } from '../objects/values.js'
import { lockOf } from './field-lock.js'

export interface ReadRequest {
  /** Object number of the field. */
  readonly field: number
  readonly itemsMax: number
}

export function readSignature(
  file: OpenedFrom & { readonly path: string },
  { field, itemsMax }: ReadRequest,
): { readonly signature: Signature; readonly protection: DocumentProtection } {
  const document = openFile(file)
  try {
    const reading = new Reading(document, itemsMax)
    const fields = findFields(reading, new FormWidgets(reading)).filter(
      ({ node }) => fieldFamilyOf(node.lineage) === 'signature',
    )
    const index = fields.findIndex(({ node }) => node.object.asIndirect() === field)
    const found = fields[index]
    if (found === undefined) throw new Error('The signed field is not in the written file')
    const value = entry(found.node.object, 'V')
    const [widget] = found.widgets
    const text = (key: string) => textOf(entry(value, key)) ?? null
    const [a = 0, b = 0, c = 0, d = 0] = numbersOf(entry(value, 'ByteRange'), 4) ?? []
    const signature: Signature = {
      index,
      field: found.ref,
      fieldName: found.node.name,
      widget: widget?.place ?? null,
      signed: true,
      kind: nameOf(entry(value, 'Type')) === 'DocTimeStamp' ? 'timestamp' : 'signature',
      filter: nameOf(entry(value, 'Filter')) ?? null,
      subFilter: nameOf(entry(value, 'SubFilter')) ?? null,
      byteRange: [a, b, c, d],
      contentsSize: (stringBytesOf(entry(value, 'Contents')) ?? '').length,
      coverage: 'whole-revision',
      revisionIndex: revisionEnds(file.path).length - 1,
      signer: {
        name: text('Name'),
        reason: text('Reason'),
        location: text('Location'),
        contactInfo: text('ContactInfo'),
        signedAt: isoOfPdfDate(textOf(entry(value, 'M'))),
      },
      docMdp: null,
      catalogCertification: false,
      fieldMdp: null,
      lock: lockOf(found.node.object) ?? null,
      seedValue: null,
      verification: null,
    }
    const protection: DocumentProtection = {
      enforced: null,
      judged: 'annotate',
      certification: null,
      fieldLocks: [],
      policyVersion: 1,
    }
    return { signature, protection }
  } finally {
    document.destroy()
  }
}
