// Parts of a document beside its pages: signatures, and attached files.
import type { Attachment, AttachmentList } from '../../../../workers/contract/attachments.js'
import type { Signature } from '../../../../workers/contract/signatures/signature.js'
import type { SignatureSnapshot } from '../../../../workers/contract/signatures/signature-snapshot.js'
import type { OpenedDocument } from './opened-document.js'

export interface Details {
  /** Signatures of the version, without fields that nobody has signed. */
  readonly signatures: readonly Signature[]
  readonly files: readonly Attachment[]
}

/** Parts that the reader may not see are empty. */
export async function detailsOf(opened: OpenedDocument, signal: AbortSignal): Promise<Details> {
  const [signatures, files] = await Promise.all([
    opened.may('doc.forms.read') ? opened.json<SignatureSnapshot>('signatures', { signal }) : undefined,
    opened.json<AttachmentList>('attachments', { signal }),
  ])
  return {
    signatures: (signatures?.signatures ?? []).filter(({ signed }) => signed),
    files: files.attachments,
  }
}

/** Returns an address that sends the bytes of a file. */
export const linkToFile = (opened: OpenedDocument, { ref }: Attachment): Promise<string> =>
  opened.linkTo(`attachment-files/${inTokenText(ref.key)}/data`)

/** Text in a path: UTF-8 in base64, with `-` and `.` for `+` and `/`, without padding. */
function inTokenText(text: string): string {
  const binary = String.fromCharCode(...new TextEncoder().encode(text))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '.').replace(/=+$/, '')
}
