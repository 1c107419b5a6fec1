// The uploads of a tenant: how far each is, and what became of it.
import { useEffect, useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { failureText } from '../documents/failure-text.js'
import { percentText, sizeText } from '../format.js'
import { IconButton } from '../parts/icon-button.js'
import { problemText } from '../problem.js'
import { type TextName, text } from '../texts.js'
import type { Upload, UploadState } from './upload.js'

/** Renders again whenever an upload has changed. */
export function useUploads(tenantId: string): readonly Upload[] {
  const { uploads } = useSession()
  const [, setRound] = useState(0)
  useEffect(() => uploads.follow(() => setRound((before) => before + 1)), [uploads])
  return uploads.of(tenantId)
}

export function UploadList({ tenantId }: { readonly tenantId: string }) {
  const { uploads } = useSession()
  const own = useUploads(tenantId)
  if (own.length === 0) return null
  return (
    <section class="card" aria-label={text('uploads')}>
      <header class="card-head">
        <h2>{text('uploads')}</h2>
        {own.some(({ isOver }) => isOver) && (
          <button type="button" class="plain-button" onClick={() => uploads.removeOver(tenantId)}>
            {text('clearUploads')}
          </button>
        )}
      </header>
      <ul class="rows">
        {own.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  )
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { uploads } = useSession()
  const { file, state, bytes } = upload
  const isCounted = state === 'sending' || state === 'hashing'
  return (
    <li class="row upload-row">
      <div class="row-main">
        <span class="row-title">{file.name}</span>
        <span class={`row-note ${state}`} role="status">
          {stateText(upload)}
        </span>
        {!upload.isOver && (
          <progress
            max={Math.max(1, file.size)}
            aria-label={text('progressOf', { name: file.name })}
            {...(isCounted ? { value: bytes } : state === 'finishing' ? {} : { value: 0 })}
          />
        )}
      </div>
      <div class="row-actions">
        {state === 'interrupted' && (
          <button type="button" class="button" onClick={() => uploads.resume(upload)}>
            {text('resumeUpload')}
          </button>
        )}
        <IconButton
          icon="close"
          label={text(upload.isOver ? 'dismiss' : 'cancelUpload', { name: file.name })}
          onClick={() => uploads.remove(upload)}
        />
      </div>
    </li>
  )
}

function stateText({ state, file, bytes, problem, document }: Upload): string {
  const done = percentText(bytes / Math.max(1, file.size))
  if (state === 'refused') return problemText(problem)
  if (state === 'failed') return failureText(document?.failureReason ?? null)
  return text(stateNames[state], { size: sizeText(file.size), done })
}

const stateNames: Readonly<Record<Exclude<UploadState, 'refused' | 'failed'>, TextName>> = {
  waiting: 'uploadWaiting',
  hashing: 'uploadHashing',
  sending: 'uploadSending',
  finishing: 'uploadFinishing',
  interrupted: 'uploadInterrupted',
  done: 'uploadDone',
}
