// A share in the list: its limits, its use, and how to end it.
import { useState } from 'preact/hooks'
import type { Static } from 'typebox'
import { scopePresets } from '../../../auth/scope-presets.js'
import type { Share } from '../../../schemas/share.js'
import { useSession } from '../current.js'
import { countText, sizeText, timeText } from '../format.js'
import { Chip } from '../parts/chip.js'
import { FormDialog } from '../parts/dialog.js'
import { ProblemNotice } from '../parts/notice.js'
import { StorageLimit } from '../parts/storage-limit.js'
import { tenantPath } from '../paths.js'
import { addressOf } from '../place.js'
import { abilities } from '../scopes.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'

interface ShareRowProps {
  readonly share: Static<typeof Share>
  readonly namesDocument: boolean
  readonly onChanged: () => void
}

export function ShareRow({ share, namesDocument, onChanged }: ShareRowProps) {
  const { client } = useSession()
  const [isRevoking, setRevoking] = useState(false)
  const work = useWork()
  const { id, tenantId, docId, layerName, disabled, createdAt, createdBy, storedBytesMax } = share
  const path = `${tenantPath(tenantId)}/shares/${id}`
  const name = `${docId}, ${timeText(createdAt)}`
  const change = (request: { readonly method: 'PATCH' | 'DELETE'; readonly json?: object }) =>
    work.run(async () => {
      await client.send(path, request)
      setRevoking(false)
      onChanged()
    })
  return (
    <li class="row">
      <div class="row-main">
        {namesDocument ? (
          <a class="row-title" href={addressOf({ kind: 'document', tenantId, docId, tab: 'shares' })}>
            {docId}
          </a>
        ) : (
          <span class="row-title">{timeText(createdAt)}</span>
        )}
        <span class="row-note">
          <ShareState share={share} />
          {share.displayName !== undefined && <span>{share.displayName}</span>}
          {namesDocument && <span>{timeText(createdAt)}</span>}
          {layerName !== 'default' && <span>{text('inLayer', { name: layerName })}</span>}
          <span>{scopeText(share.scope)}</span>
          <span>{text('uses', { count: countText(share.exchangeCount) })}</span>
          {share.storedBytes > 0 && <span>{text('storedByVisitors', { size: sizeText(share.storedBytes) })}</span>}
          {storedBytesMax !== null && (
            <span>
              {text('mayStore', { size: storedBytesMax === 0 ? text('unlimited') : sizeText(storedBytesMax) })}
            </span>
          )}
          <span>{text('madeBy', { name: createdBy })}</span>
        </span>
        {!isRevoking && <ProblemNotice problem={work.problem} />}
      </div>
      <div class="row-actions">
        <StorageLimit path={path} name={name} storedBytesMax={storedBytesMax} onChanged={onChanged} />
        <button
          type="button"
          class="button"
          disabled={work.isBusy}
          aria-label={text(disabled ? 'enableOf' : 'disableOf', { name })}
          onClick={() => void change({ method: 'PATCH', json: { disabled: !disabled } })}
        >
          {text(disabled ? 'enable' : 'disable')}
        </button>
        <button type="button" class="button" aria-label={text('revokeOf', { name })} onClick={() => setRevoking(true)}>
          {text('revoke')}
        </button>
      </div>
      {isRevoking && (
        <FormDialog
          title={text('revokeShareTitle')}
          action={text('revoke')}
          isBad
          isBusy={work.isBusy}
          problem={work.problem}
          onAction={() => void change({ method: 'DELETE' })}
          onClose={() => setRevoking(false)}
        >
          <p>{text('revokeShareWhat', { name: docId })}</p>
        </FormDialog>
      )}
    </li>
  )
}

function ShareState({ share: { disabled, expiresAt, passwordProtected, origins } }: Pick<ShareRowProps, 'share'>) {
  const isExpired = expiresAt !== null && expiresAt <= Date.now()
  return (
    <>
      {disabled && <Chip tone="bad" label={text('disabled')} />}
      {isExpired && <Chip tone="quiet" label={text('expired')} />}
      {!disabled && !isExpired && <Chip tone="good" label={text('active')} />}
      {passwordProtected && <Chip tone="quiet" label={text('passphrase')} />}
      {expiresAt !== null && <span>{text('until', { time: timeText(expiresAt) })}</span>}
      {origins !== null && <span>{origins.join(', ')}</span>}
    </>
  )
}

/** Names the groups of rights whose every word the scope has. */
function scopeText(scope: readonly string[]): string {
  if (scope.includes('*')) return text('mayEverything')
  const has = (words: readonly string[] = ['']) => words.every((word) => scope.includes(word))
  const more = abilities.filter((ability) => has(scopePresets[ability.preset]) || has(ability.before))
  return [text('mayRead'), ...more.map(({ name }) => text(name))].join(', ')
}
