// The console: signed out it asks for a token, signed in it shows the place of the address.
import { useCallback, useState } from 'preact/hooks'
import { Current } from './current.js'
import { DocumentPage } from './documents/document-page.js'
import { Shell } from './parts/shell.js'
import { SignIn } from './parts/sign-in.js'
import { type Place, usePlace } from './place.js'
import { Session } from './session.js'
import { TenantList } from './tenants/tenant-list.js'
import { TenantPage } from './tenants/tenant-page.js'
import type { TextName } from './texts.js'

export function App({ base }: { readonly base: URL }) {
  const [session, setSession] = useState<Session | undefined>()
  const [notice, setNotice] = useState<TextName | undefined>()
  const leave = useCallback((reason?: TextName) => {
    setSession((before) => {
      before?.end()
      return undefined
    })
    setNotice(reason)
  }, [])
  const signIn = useCallback(
    async (token: string) => setSession(await Session.open(base, token, () => leave('tokenEnded'))),
    [base, leave],
  )
  if (session === undefined) return <SignIn notice={notice} onToken={signIn} />
  return (
    <Current.Provider value={session}>
      <SignedIn session={session} onLeave={() => leave()} />
    </Current.Provider>
  )
}

function SignedIn({ session, onLeave }: { readonly session: Session; readonly onLeave: () => void }) {
  const place = placeFor(session, usePlace())
  return (
    <Shell place={place} onLeave={onLeave}>
      <Content place={place} />
    </Shell>
  )
}

function Content({ place }: { readonly place: Place }) {
  if (place.kind === 'tenants') return <TenantList />
  if (place.kind === 'tenant') return <TenantPage key={place.tenantId} {...place} />
  return <DocumentPage key={`${place.tenantId} ${place.docId}`} {...place} />
}

/** A tenant token leads to its own tenant, whatever the address says. */
function placeFor({ ownTenant }: Session, place: Place): Place {
  if (ownTenant === undefined) return place
  const isOwn = place.kind !== 'tenants' && place.tenantId === ownTenant
  return isOwn ? place : { kind: 'tenant', tenantId: ownTenant, tab: 'documents' }
}
