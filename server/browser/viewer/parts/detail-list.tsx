// Signatures and attached files of the document.
import type { Attachment } from '../../../../workers/contract/attachments.js'
import type { Signature } from '../../../../workers/contract/signatures/signature.js'
import { saveFrom } from '../../shared/save-as.js'
import { language, text } from '../../shared/texts.js'
import { detailsOf, linkToFile } from '../engine/details.js'
import type { OpenedDocument } from '../engine/opened-document.js'
import { Button } from './button.js'
import { useRefreshed } from './use-refreshed.js'

interface DetailListProps {
  readonly opened: OpenedDocument
  readonly onProblem: (error: unknown) => void
}

export function DetailList({ opened, onProblem }: DetailListProps) {
  const details = useRefreshed(opened, detailsOf)
  if (details === undefined) return null
  const { signatures, files } = details
  return (
    <div class="details">
      <h2>{text('signatures')}</h2>
      {signatures.length === 0 && <p class="empty">{text('noSignatures')}</p>}
      {signatures.map((signature) => (
        <SignatureEntry key={signature.index} signature={signature} />
      ))}
      <h2>{text('files')}</h2>
      {files.length === 0 && <p class="empty">{text('noFiles')}</p>}
      {files.map((file) => (
        <FileEntry key={file.index} file={file} opened={opened} onProblem={onProblem} />
      ))}
    </div>
  )
}

const integrity = { intact: 'signatureIntact', broken: 'signatureBroken', indeterminate: 'signatureUnclear' } as const
const trust = { trusted: 'signerTrusted', untrusted: 'signerUntrusted', unknown: 'signerUnknown' } as const

const times = { proven: 'timeProven', claimed: 'timeClaimed' } as const

/** Says each verdict by itself: a signature can be intact and its signer unknown. */
function SignatureEntry({ signature }: { readonly signature: Signature }) {
  const { fieldName, signer, coverage, verification } = signature
  const certainty = verification?.time.certainty ?? 'none'
  const signedAt = certainty === 'none' ? signer.signedAt : (verification?.time.at ?? signer.signedAt)
  return (
    <article class="comment">
      <header>
        <strong>{signer.name ?? fieldName}</strong>
        {signedAt !== null && <span>{new Date(signedAt).toLocaleString(language)}</span>}
      </header>
      {signer.reason && <p>{signer.reason}</p>}
      {verification && (
        <p>
          {text(integrity[verification.integrity.verdict])} {text(trust[verification.trust.verdict])}{' '}
          {certainty !== 'none' && text(times[certainty])}
        </p>
      )}
      <p class="comment-kind">{text(coverage === 'whole-revision' ? 'coversRevision' : 'coversLess')}</p>
    </article>
  )
}

function FileEntry({ file, opened, onProblem }: DetailListProps & { readonly file: Attachment }) {
  const save = () => linkToFile(opened, file).then((address) => saveFrom(address, file.name), onProblem)
  return (
    <article class="comment file">
      <span>
        {file.name}
        {file.description && <small>{file.description}</small>}
      </span>
      {opened.may('doc.download') && <Button name="download" icon="download" onClick={() => void save()} />}
    </article>
  )
}
