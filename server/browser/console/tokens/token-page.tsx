// Tokens of a tenant: making, limiting and revoking them. The server keeps no list of tokens.
import { useState } from 'preact/hooks'
import { useSession } from '../current.js'
import { timeText } from '../format.js'
import { Chip } from '../parts/chip.js'
import { TextField } from '../parts/field.js'
import { Icon } from '../parts/icon.js'
import { ProblemNotice } from '../parts/notice.js'
import { tenantPath } from '../paths.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'
import type { MadeToken } from './made-tokens.js'
import { NewToken } from './new-token.js'

interface TokenPageProps {
  readonly tenantId: string
  readonly canIssue: boolean
}

export function TokenPage({ tenantId, canIssue }: TokenPageProps) {
  const session = useSession()
  const { client, madeTokens } = session
  const [isMaking, setMaking] = useState(false)
  const [, setRound] = useState(0)
  const mayRevoke = session.may('tokens.revoke')
  const revoke = async (jti: string) => {
    await client.send(`${tenantPath(tenantId)}/tokens/${encodeURIComponent(jti)}/revoke`, { method: 'POST', json: {} })
    madeTokens.markRevoked(jti)
    setRound((before) => before + 1)
  }
  const made = madeTokens.of(tenantId)
  return (
    <>
      {canIssue && (
        <section class="card" aria-label={text('tokens')}>
          <header class="card-head">
            <p class="faint grow">{text('tokensWhat')}</p>
            <button type="button" class="button main" onClick={() => setMaking(true)}>
              <Icon name="plus" />
              {text('newToken')}
            </button>
          </header>
          {made.length > 0 && (
            <ul class="rows" aria-label={text('madeHere')}>
              {made.map((token) => (
                <TokenRow key={token.jti} token={token} onRevoke={mayRevoke ? revoke : undefined} />
              ))}
            </ul>
          )}
        </section>
      )}
      {mayRevoke && <RevokeForm onRevoke={revoke} />}
      {isMaking && <NewToken tenantId={tenantId} onClose={() => setMaking(false)} />}
    </>
  )
}

interface TokenRowProps {
  readonly token: MadeToken
  readonly onRevoke: ((jti: string) => Promise<void>) | undefined
}

function TokenRow({ token: { jti, sub, docId, expiresAt, isRevoked }, onRevoke }: TokenRowProps) {
  const { isBusy, problem, run } = useWork()
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">{sub}</span>
        <span class="row-note">
          {isRevoked && <Chip tone="bad" label={text('revoked')} />}
          <span>{docId === undefined ? text('kindTenant') : text('forDocument', { name: docId })}</span>
          <span>{text('until', { time: timeText(expiresAt * 1000) })}</span>
          <code>{jti}</code>
        </span>
        <ProblemNotice problem={problem} />
      </div>
      <div class="row-actions">
        {onRevoke && !isRevoked && (
          <button
            type="button"
            class="button"
            disabled={isBusy}
            aria-label={text('revokeOf', { name: sub })}
            onClick={() => void run(() => onRevoke(jti))}
          >
            {text('revoke')}
          </button>
        )}
      </div>
    </li>
  )
}

function RevokeForm({ onRevoke }: { readonly onRevoke: (jti: string) => Promise<void> }) {
  const [jti, setJti] = useState('')
  const [revoked, setRevoked] = useState('')
  const { isBusy, problem, run } = useWork()
  const send = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      await onRevoke(jti.trim())
      setRevoked(jti.trim())
      setJti('')
    })
  }
  return (
    <section class="card" aria-label={text('revokeTitle')}>
      <form class="form narrow padded" onSubmit={send}>
        <h2>{text('revokeTitle')}</h2>
        <TextField label={text('tokenId')} hint={text('tokenIdHint')} value={jti} onValue={setJti} isNeeded />
        <ProblemNotice problem={problem} />
        <div>
          <button type="submit" class="button bad" disabled={isBusy}>
            {text('revoke')}
          </button>
        </div>
        <p role="status" class="faint">
          {revoked === '' ? '' : text('revokedNow', { name: revoked })}
        </p>
      </form>
    </section>
  )
}
