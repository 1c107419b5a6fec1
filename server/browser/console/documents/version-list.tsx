// The versions of a document, newest first: the uploaded file, and one for each signature.
import { useCallback } from 'preact/hooks'
import type { Static } from 'typebox'
import type { DocumentVersions } from '../../../schemas/head.js'
import { useSession } from '../current.js'
import { sizeText, timeText } from '../format.js'
import { Chip } from '../parts/chip.js'
import { ProblemNotice } from '../parts/notice.js'
import { text } from '../texts.js'
import { useAnswer } from '../use-answer.js'
import { type DocumentRecord, nameOf } from './document.js'
import { DownloadButton } from './download-button.js'
import { readingClient } from './reading-client.js'

export function VersionList({ document }: { readonly document: DocumentRecord }) {
  const session = useSession()
  const { id, tenantId } = document
  const read = useCallback(
    async (signal: AbortSignal) => {
      const client = await readingClient(session, tenantId, id)
      const path = `v1/docs/${encodeURIComponent(id)}/versions`
      return { client, path, ...(await client.json<Static<typeof DocumentVersions>>(path, { signal })) }
    },
    [session, tenantId, id],
  )
  const { answer, problem } = useAnswer(read)
  return (
    <section class="card" aria-label={text('versions')}>
      <ProblemNotice problem={problem} />
      {answer === undefined && problem === undefined && <p class="empty">{text('loading')}</p>}
      <ul class="rows" aria-label={text('versions')}>
        {answer?.versions.toReversed().map(({ number, sha256, byteLength, producer, createdAt }) => (
          <li key={number} class="row">
            <div class="row-main">
              <span class="row-title">{text('versionNumber', { number })}</span>
              <span class="row-note">
                {sha256 === answer.head && <Chip tone="good" label={text('newest')} />}
                <span>{text(producer === 'signature' ? 'bySignature' : 'byUpload')}</span>
                <span>{sizeText(byteLength)}</span>
                <span>{timeText(createdAt)}</span>
              </span>
              <code class="row-note">{sha256}</code>
            </div>
            <div class="row-actions">
              <DownloadButton
                client={answer.client}
                path={`${answer.path}/download/${sha256}`}
                name={`${nameOf(document).replace(/\.pdf$/i, '')} (${number})`}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
