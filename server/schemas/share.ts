// Wire schemas of share grants and of viewer sessions.
import { Type } from 'typebox'
import { hiddenCharacter } from '../../core/value/hidden-characters.js'
import { withMembers } from '../../core/value/with-members.js'
import { strict } from '../../workers/contract/strict.js'
import { Name } from '../auth/claims.js'
import { DocId, LayerName, Nullable, ShareToken, StoredBytesMax, TenantId } from './ids.js'
import { Origins } from './origins.js'
import { ShareScopeWord } from './scope.js'

const Scope = Type.Array(ShareScopeWord, { minItems: 1, maxItems: 64 })
const Passphrase = Type.String({ minLength: 1, maxLength: 1024 })
const SessionTtlSeconds = Type.Integer({ minimum: 60, maximum: 3600 })
/** Milliseconds since 1970. */
const ExpiresAt = Type.Integer({ minimum: 1 })

/** A character with ink: blanks include U+2800, an empty pattern of Braille, and fillers, which are letters by their class. */
const withInk = /(?![\u2800\p{Default_Ignorable_Code_Point}])[\p{L}\p{N}\p{P}\p{S}]/u

/** Name that is shown as it was typed: lines, hidden characters and those that turn the direction are not in it. */
const ShownName = (description: string) =>
  Type.Refine(
    Type.String({ minLength: 1, maxLength: 256, description }),
    (text) => !hiddenCharacter.test(text) && withInk.test(text),
    () => 'must be one line without hidden characters, and not blank',
  )
const ShareName = ShownName('Name of whoever gets the link, which all of its sessions have.')

export const Share = Type.Object({
  id: ShareToken,
  tenantId: TenantId,
  docId: DocId,
  layerName: LayerName,
  scope: Type.Array(ShareScopeWord),
  displayName: Type.Optional(ShareName),
  origins: Nullable(Type.Array(Type.String())),
  passwordProtected: Type.Boolean(),
  sessionTtlSeconds: Type.Integer(),
  disabled: Type.Boolean(),
  expiresAt: Nullable(Type.Integer()),
  exchangeCount: Type.Integer({ minimum: 0 }),
  lastExchangedAt: Nullable(Type.Integer()),
  storedBytes: Type.Integer({ minimum: 0 }),
  storedBytesMax: Nullable(StoredBytesMax),
  createdBy: Type.String(),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
})

export const ShareAnswer = Type.Object({ share: Share })
export const ShareList = Type.Object({ shares: Type.Array(Share), nextCursor: Nullable(Type.String()) })

export const ShareCreate = Type.Object(
  {
    docId: DocId,
    layerName: Type.Optional(LayerName),
    scope: Scope,
    displayName: Type.Optional(ShareName),
    origins: Type.Optional(Nullable(Origins)),
    password: Type.Optional(Nullable(Passphrase)),
    sessionTtlSeconds: Type.Optional(SessionTtlSeconds),
    expiresAt: Type.Optional(Nullable(ExpiresAt)),
    storedBytesMax: Type.Optional(Nullable(StoredBytesMax)),
  },
  strict,
)

/** Update of a grant; null clears a member. */
export const ShareUpdate = Type.Object(
  {
    scope: Type.Optional(Scope),
    origins: Type.Optional(Nullable(Origins)),
    password: Type.Optional(Nullable(Passphrase)),
    sessionTtlSeconds: Type.Optional(SessionTtlSeconds),
    disabled: Type.Optional(Type.Boolean()),
    expiresAt: Type.Optional(Nullable(ExpiresAt)),
    storedBytesMax: Type.Optional(Nullable(StoredBytesMax)),
  },
  strict,
)

export const ShareExchange = Type.Object(
  {
    shareToken: Type.String({ maxLength: 128 }),
    password: Type.Optional(Type.String({ maxLength: 1024 })),
    displayName: Type.Optional(ShownName('Name that the visitor gives, for others to see, unless the share has one.')),
    visitor: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{32,256}$',
        description:
          'Secret of the browser: sessions of the share with the same one are of the same visitor, who may change and undo what was written in them. Without it each session is a visitor of its own.',
      }),
    ),
  },
  strict,
)

export const ShareSession = Type.Object({
  token: Type.String(),
  docId: DocId,
  layerName: LayerName,
  displayName: Type.Optional(withMembers(Name, { description: 'Name that the session has.' })),
  /** Seconds since 1970. */
  expiresAt: Type.Integer(),
})
