// Table of the facts that the server has about a document.
import type { ComponentChildren } from 'preact'
import { sizeText, timeText } from '../format.js'
import { text } from '../texts.js'
import type { DocumentRecord } from './document.js'
import { failureText } from './failure-text.js'
import { Thumbnail } from './thumbnail.js'

export function Facts({ document }: { readonly document: DocumentRecord }) {
  const { id, state, failureReason, storageSizeBytes, baseSha, createdAt, createdBy, updatedAt, metadata } = document
  return (
    <section class="card facts" aria-label={text('facts')}>
      <Thumbnail document={document} />
      <dl>
        <Fact name={text('documentId')}>
          <code>{id}</code>
        </Fact>
        {state === 'failed' && <Fact name={text('reason')}>{failureText(failureReason)}</Fact>}
        {storageSizeBytes !== null && <Fact name={text('size')}>{sizeText(storageSizeBytes)}</Fact>}
        <Fact name={text('created')}>{timeText(createdAt)}</Fact>
        <Fact name={text('createdBy')}>{createdBy ?? text('apiToken')}</Fact>
        <Fact name={text('changed')}>{timeText(updatedAt)}</Fact>
        {baseSha !== null && (
          <Fact name="SHA-256">
            <code>{baseSha}</code>
          </Fact>
        )}
        {Object.entries(metadata ?? {}).map(([name, value]) => (
          <Fact key={name} name={name}>
            {typeof value === 'string' ? value : <code>{JSON.stringify(value)}</code>}
          </Fact>
        ))}
      </dl>
    </section>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
