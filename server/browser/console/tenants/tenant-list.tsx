// The tenants of the deployment, with their usage. For the API token.
import { useCallback, useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { Tenant, TenantList as TenantsAnswer } from '../../../schemas/tenant.js'
import { useSession } from '../current.js'
import { timeText } from '../format.js'
import { Chip } from '../parts/chip.js'
import { Icon } from '../parts/icon.js'
import { ListView } from '../parts/list-view.js'
import { Title } from '../parts/title.js'
import { withQuery } from '../paths.js'
import { addressOf } from '../place.js'
import { text } from '../texts.js'
import { useList } from '../use-list.js'
import { NewTenant } from './new-tenant.js'
import { Usage } from './usage.js'

export function TenantList() {
  const { client } = useSession()
  const [isMaking, setMaking] = useState(false)
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const path = withQuery('v1/tenants', { limit: 20, cursor })
      const { tenants, nextCursor } = await client.json<Static<typeof TenantsAnswer>>(path, { signal })
      return { items: tenants, nextCursor }
    },
    [client],
  )
  return (
    <>
      <Title name={text('tenants')}>
        <span class="space" />
        <button type="button" class="button main" onClick={() => setMaking(true)}>
          <Icon name="plus" />
          {text('newTenant')}
        </button>
      </Title>
      <section class="card" aria-label={text('tenants')}>
        <ListView
          label={text('tenants')}
          list={useList(read)}
          empty={text('noTenants')}
          row={(tenant) => <TenantRow key={tenant.id} tenant={tenant} />}
        />
      </section>
      {isMaking && <NewTenant onClose={() => setMaking(false)} />}
    </>
  )
}

const TenantRow = ({ tenant: { id, name, status, createdAt } }: { readonly tenant: Static<typeof Tenant> }) => (
  <li class="row tenant-row">
    <div class="row-main">
      <a class="row-title" href={addressOf({ kind: 'tenant', tenantId: id, tab: 'documents' })}>
        {name}
      </a>
      <span class="row-note">
        {status === 'suspended' && <Chip tone="bad" label={text('suspended')} />}
        {name !== id && <code>{id}</code>}
        <span>{timeText(createdAt)}</span>
      </span>
    </div>
    <Usage tenantId={id} />
  </li>
)
