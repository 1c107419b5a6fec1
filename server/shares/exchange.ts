// Exchanges a share token for a viewer session. Unknown, disabled, suspended and removed grants get the same
// response, and so do a missing and a wrong passphrase. The order of the checks is part of the contract.
import type { Static } from 'typebox'
import type { Account } from '../../workers/messages/account.js'
import { mint } from '../auth/mint.js'
import { matchesOrigin } from '../auth/origins.js'
import { PassphrasesBusy } from '../auth/passphrase.js'
import { networkOf } from '../auth/rates.js'
import { visitorAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import type { Context } from '../operation/operation.js'
import { recordEvent } from '../outbox/record-event.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { ShareRow } from '../rows/share.js'
import type { ShareExchange, ShareSession } from '../schemas/share.js'
import { transact } from '../storage/transaction.js'
import { countExchange } from '../tenants/views.js'

export async function exchangeShare(
  { shareToken, password, displayName, visitor }: Static<typeof ShareExchange>,
  { deployment, headers, address }: Context,
): Promise<Static<typeof ShareSession>> {
  const { origin } = headers
  if (typeof origin !== 'string')
    throw new Refusal('OriginRequired', 'A share is exchanged by a browser, with an Origin')
  const grant = await findGrant(deployment, shareToken)
  const { key, row, tenantId } = grant
  const now = deployment.clock.now()
  if (row.expiresAt !== null && row.expiresAt <= now) throw new Refusal('ShareExpired', 'This share has expired')
  if (row.origins && !matchesOrigin(row.origins, origin)) {
    throw new Refusal('OriginNotAllowed', 'This origin is not on the list of the share')
  }
  const network = networkOf(address)
  await deployment.rates.shareExchanges.count(`${shareToken} ${network}`)
  if (row.passwordHash !== null) {
    const guess = { password, stored: row.passwordHash, visitor: `${shareToken} ${network}` }
    const isRight = await isPassphrase(deployment, guess, visitorAccountOf(key[0], key[2], network))
    if (!isRight) {
      // Without one, it is being asked for.
      if (password !== undefined) noteRefusal(deployment, grant, address)
      throw new Refusal('SharePasswordRequired', 'This share needs its passphrase; none or a wrong one was sent')
    }
  }
  const sub = `share-${visitorId(deployment, key, visitor)}`
  return startSession(deployment, {
    key,
    row,
    tenantId,
    now,
    person: { sub, displayName: row.displayName ?? displayName },
  })
}

/** Returns the same id whenever a visitor comes to the share, from which nobody finds the secret. */
const visitorId = ({ random, sealing }: Deployment, share: GrantKey, visitor: string | undefined): string =>
  visitor === undefined
    ? random.uuid()
    : sealing.fingerprint(JSON.stringify(['share-visitor', ...share, visitor])).slice(0, visitorIdCharacters)

const visitorIdCharacters = 32

interface Guess {
  readonly password: string | undefined
  readonly stored: string
  readonly visitor: string
}

async function isPassphrase(
  { rates, passphrases }: Deployment,
  { password, stored, visitor }: Guess,
  account: Account,
): Promise<boolean> {
  // The attempt is counted before scrypt runs, so that it does not cost the server more than the client.
  await rates.shareGuesses.count(visitor)
  try {
    return password !== undefined && (await passphrases.matches(password, stored, account))
  } catch (error) {
    if (error instanceof PassphrasesBusy) await rates.shareGuesses.reset(visitor)
    throw error
  }
}

type GrantKey = readonly [tenant: string, document: string, share: string]

interface Grant {
  readonly key: GrantKey
  readonly row: ShareRow
  readonly tenantId: string
  /** True if the tenant has a log of reads. */
  readonly isRecorded: boolean
}

async function findGrant({ tables }: Deployment, shareToken: string): Promise<Grant> {
  const pointer = await tables.shareIds.get([shareToken])
  if (!pointer) throw notFound('share')
  const key = [pointer.tenant, pointer.document, pointer.share] as const
  const [tenant, document, row] = await tables.getMany([
    tables.tenants.at([pointer.tenant]),
    tables.documents.at([pointer.tenant, pointer.document]),
    tables.shares.at(key),
  ])
  const isOpen = tenant?.status === 'active' && document?.state === 'ready' && row?.disabled === false
  if (!isOpen) throw notFound('share')
  return { key, row, tenantId: tenant.id, isRecorded: tenant.auditReads === true }
}

/** Returns the seconds that a session of the share lasts: none outlives its share. */
const lifetimeOf = ({ sessionTtlSeconds, expiresAt }: ShareRow, nowMs: number): number =>
  expiresAt === null
    ? sessionTtlSeconds
    : Math.min(sessionTtlSeconds, Math.max(1, Math.floor((expiresAt - nowMs) / 1000)))

interface Visit extends Omit<Grant, 'isRecorded'> {
  readonly now: number
  readonly person: { readonly sub: string; readonly displayName: string | undefined }
}

/** Records a wrong passphrase for the log of reads. */
function noteRefusal(
  { readLog }: Deployment,
  { key: [tenant, document, share], row, isRecorded }: Grant,
  address: string,
): void {
  if (!isRecorded) return
  const { layerName } = row
  readLog.note({ tenant, document, share, kind: 'passphrase-refused', layerName, sub: null, address, page: undefined })
}

async function startSession(deployment: Deployment, { key, row, tenantId, now, person }: Visit) {
  const { tables, random, authenticator } = deployment
  const secret = authenticator.mintingSecret
  // The operation is mounted only if there is a secret.
  if (secret === undefined) throw notFound('share')
  const jti = random.uuid()
  const { sub, displayName } = person
  // Whoever may change their own annotations needs to be somebody.
  const identity = { userId: sub, ...(displayName === undefined ? {} : { displayName }) }
  const session = await mint(
    {
      sub,
      tenant_id: tenantId,
      doc_id: row.docId,
      resource_id: key[1],
      share_id: key[2],
      layer_name: row.layerName,
      scope: [...row.scope],
      identity,
      user_id: sub,
      ...(displayName === undefined ? {} : { display_name: displayName }),
      ...(row.origins ? { origins: [...row.origins] } : {}),
      ...(typeof row.storedBytesMax === 'number' ? { stored_bytes_max: row.storedBytesMax } : {}),
    },
    { secret, nowMs: now, jti, lifetimeSeconds: lifetimeOf(row, now) },
  )
  const isAwaited = await transact(deployment, async (transaction) => {
    const slot = tables.shares.at(key)
    const share = await transaction.read(slot)
    if (!share || share.disabled) throw notFound('share')
    transaction.put(slot, { ...share, exchangeCount: share.exchangeCount + 1, lastExchangedAt: now })
    await countExchange(tables, transaction, { tenant: key[0], jti, nowMs: now })
    const document = await transaction.read(tables.documents.at([key[0], key[1]]))
    if (!document || document.state === 'deleting') throw notFound('share')
    return recordEvent(transaction, tables, {
      type: 'share.opened',
      tenant: key[0],
      document: key[1],
      order: document.auditId,
      at: now,
      docId: row.docId,
      layerName: row.layerName,
      actor: sub,
    })
  })
  if (isAwaited) deployment.bus.publish(webhookTopic)
  const { token, expiresAt } = session
  return {
    token,
    docId: row.docId,
    layerName: row.layerName,
    expiresAt,
    ...(displayName === undefined ? {} : { displayName }),
  }
}
