// One tenant: its usage, documents, shares, tokens and webhooks.
import { useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { DocumentList } from '../documents/document-list.js'
import { Tabs } from '../parts/tabs.js'
import { Title } from '../parts/title.js'
import { addressOf, type TenantTab } from '../place.js'
import { ShareList } from '../shares/share-list.js'
import { type TextName, text } from '../texts.js'
import { TokenPage } from '../tokens/token-page.js'
import { WebhookList } from '../webhooks/webhook-list.js'
import { AuditReads } from './audit-reads.js'
import { useCanMint } from './can-mint.js'
import { Suspension } from './suspension.js'
import { TenantLimit } from './tenant-limit.js'
import { Usage } from './usage.js'

interface TenantPageProps {
  readonly tenantId: string
  readonly tab: TenantTab
}

const tabNames: Readonly<Record<TenantTab, TextName>> = {
  documents: 'documents',
  shares: 'shares',
  tokens: 'tokens',
  webhooks: 'webhooks',
}

export function TenantPage({ tenantId, tab }: TenantPageProps) {
  const session = useSession()
  const [limitsSet, setLimitsSet] = useState(0)
  const canMint = useCanMint(tenantId)
  const mayRead = session.may('docs.read')
  const canIssue = canMint && session.may('tokens.issue-doc')
  const offered: readonly TenantTab[] = [
    ...(mayRead || session.may('docs.create') ? (['documents'] as const) : []),
    ...(canMint && session.may('shares.manage') ? (['shares'] as const) : []),
    ...(canIssue || session.may('tokens.revoke') ? (['tokens'] as const) : []),
    ...(session.may('webhooks.manage') ? (['webhooks'] as const) : []),
  ]
  const shown = offered.includes(tab) ? tab : offered[0]
  return (
    <>
      <Title name={tenantId}>
        {session.isOperator && <AuditReads tenantId={tenantId} />}
        {session.isOperator && <TenantLimit tenantId={tenantId} onChanged={() => setLimitsSet(limitsSet + 1)} />}
        {session.isOperator && <Suspension tenantId={tenantId} />}
        <span class="space" />
        {mayRead && <Usage key={limitsSet} tenantId={tenantId} />}
      </Title>
      <Tabs
        label={text('tenant')}
        links={offered.map((one) => ({
          address: addressOf({ kind: 'tenant', tenantId, tab: one }),
          label: text(tabNames[one]),
          isCurrent: one === shown,
        }))}
      />
      {shown === 'documents' && <DocumentList tenantId={tenantId} canOpen={canIssue} />}
      {shown === 'shares' && <ShareList tenantId={tenantId} />}
      {shown === 'tokens' && <TokenPage tenantId={tenantId} canIssue={canIssue} />}
      {shown === 'webhooks' && <WebhookList tenantId={tenantId} />}
    </>
  )
}
