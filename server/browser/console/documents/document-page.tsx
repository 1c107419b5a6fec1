// One document: facts, layers, versions, shares, audit log.
import { useCallback, useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { Icon } from '../parts/icon.js'
import { ProblemNotice } from '../parts/notice.js'
import { Tabs } from '../parts/tabs.js'
import { Title } from '../parts/title.js'
import { documentPath } from '../paths.js'
import { addressOf, type DocumentTab } from '../place.js'
import { ShareList } from '../shares/share-list.js'
import { useCanMint } from '../tenants/can-mint.js'
import { type TextName, text } from '../texts.js'
import { useAnswer } from '../use-answer.js'
import { AuditLog } from './audit-log.js'
import { DeleteDocument } from './delete-document.js'
import { type DocumentRecord, nameOf } from './document.js'
import { DownloadButton } from './download-button.js'
import { Facts } from './facts.js'
import { LayerList } from './layer-list.js'
import { OpenButton } from './open-button.js'
import { ReadsLog } from './reads-log.js'
import { StateChip } from './state-chip.js'
import { VersionList } from './version-list.js'

interface DocumentPageProps {
  readonly tenantId: string
  readonly docId: string
  readonly tab: DocumentTab
}

const tabNames: Readonly<Record<DocumentTab, TextName>> = {
  facts: 'facts',
  layers: 'layers',
  versions: 'versions',
  shares: 'shares',
  audit: 'auditLog',
  reads: 'reads',
}

export function DocumentPage({ tenantId, docId, tab }: DocumentPageProps) {
  const { client } = useSession()
  const read = useCallback(
    (signal: AbortSignal) =>
      client.json<{ readonly document: DocumentRecord }>(documentPath(tenantId, docId), { signal }),
    [client, tenantId, docId],
  )
  const { answer, problem } = useAnswer(read)
  if (answer === undefined) {
    return problem === undefined ? <p class="empty">{text('loading')}</p> : <ProblemNotice problem={problem} />
  }
  return <Loaded document={answer.document} tab={tab} />
}

function Loaded({ document, tab }: { readonly document: DocumentRecord; readonly tab: DocumentTab }) {
  const session = useSession()
  const { id: docId, tenantId, state } = document
  const canMint = useCanMint(tenantId)
  const [isDeleting, setDeleting] = useState(false)
  const canOpen = canMint && state === 'ready' && session.may('tokens.issue-doc')
  const offered: readonly DocumentTab[] = [
    'facts',
    'layers',
    ...((session.isOperator || canOpen) && state === 'ready' ? (['versions'] as const) : []),
    ...(canMint && session.may('shares.manage') ? (['shares'] as const) : []),
    'audit',
    'reads',
  ]
  const name = nameOf(document)
  const shown = offered.includes(tab) ? tab : 'facts'
  return (
    <>
      <Title name={name}>
        <StateChip state={state} />
        <span class="space" />
        {canOpen && <OpenButton isMain name={name} tenantId={tenantId} docId={docId} layerName="default" />}
        {state === 'ready' && (
          <DownloadButton path={`${documentPath(tenantId, docId)}/download`} name={name} client={session.client} />
        )}
        {session.may('docs.delete') && (
          <button type="button" class="button" onClick={() => setDeleting(true)}>
            <Icon name="remove" />
            {text('deleteAction')}
          </button>
        )}
      </Title>
      <Tabs
        label={text('document')}
        links={offered.map((one) => ({
          address: addressOf({ kind: 'document', tenantId, docId, tab: one }),
          label: text(tabNames[one]),
          isCurrent: one === shown,
        }))}
      />
      {shown === 'facts' && <Facts document={document} />}
      {shown === 'layers' && <LayerList document={document} canOpen={canOpen} />}
      {shown === 'versions' && <VersionList document={document} />}
      {shown === 'shares' && <ShareList tenantId={tenantId} docId={docId} canMake={state === 'ready'} />}
      {shown === 'audit' && <AuditLog tenantId={tenantId} docId={docId} />}
      {shown === 'reads' && <ReadsLog tenantId={tenantId} docId={docId} />}
      {isDeleting && (
        <DeleteDocument
          document={document}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            location.hash = addressOf({ kind: 'tenant', tenantId, tab: 'documents' })
          }}
        />
      )}
    </>
  )
}
