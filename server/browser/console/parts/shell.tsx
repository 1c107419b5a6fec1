// The frame around every place: where the reader is, and the way out.
import type { ComponentChildren } from 'preact'
import { useSession } from '../current.js'
import { addressOf, type Place } from '../place.js'
import { text } from '../texts.js'
import { Icon } from './icon.js'

interface ShellProps {
  readonly place: Place
  readonly onLeave: () => void
  readonly children: ComponentChildren
}

export function Shell({ place, onLeave, children }: ShellProps) {
  return (
    <div class="shell">
      <header class="bar">
        <div class="inner">
          <Trail place={place} />
          <button type="button" class="plain-button" onClick={onLeave}>
            <Icon name="leave" />
            {text('signOut')}
          </button>
        </div>
      </header>
      <main class="inner">{children}</main>
    </div>
  )
}

function Trail({ place }: { readonly place: Place }) {
  const { isOperator } = useSession()
  const tenantId = place.kind === 'tenants' ? undefined : place.tenantId
  const steps = [
    ...(isOperator ? [{ address: addressOf({ kind: 'tenants' }), label: text('tenants') }] : []),
    ...(tenantId === undefined
      ? []
      : [{ address: addressOf({ kind: 'tenant', tenantId, tab: 'documents' }), label: tenantId }]),
    ...(place.kind === 'document' ? [{ address: addressOf(place), label: place.docId }] : []),
  ]
  return (
    <nav aria-label={text('youAreHere')} class="trail">
      <ol>
        {steps.map(({ address, label }, index) => (
          <li key={address}>
            <a href={address} {...(index === steps.length - 1 ? { 'aria-current': 'location' } : {})}>
              {label}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
