// Wire schemas of a viewer session: `POST …/access`.
import { Type } from 'typebox'
import { DocumentProtection } from '../../workers/contract/signatures/protection.js'
import { strict } from '../../workers/contract/strict.js'
import { limits } from '../limits.js'
import { DocumentHead } from './head.js'
import { DocId, LayerName, Nullable } from './ids.js'
import { ReservedNumbers } from './object-numbers.js'

const passwordCharactersMax = limits.documentPasswordBytesMax

/** Clients repeat the document and the layer of the path. */
export const AccessRequest = Type.Object(
  {
    docId: Type.Optional(DocId),
    layerName: Type.Optional(LayerName),
    /** Password of the file: the user's or the owner's. */
    password: Type.Optional(Type.String({ maxLength: passwordCharactersMax })),
    /** Grant of an earlier answer, instead of the password. */
    passwordGrant: Type.Optional(Type.String({ maxLength: 4 * passwordCharactersMax })),
    /** `owner`: only the password of the owner is accepted. */
    mode: Type.Optional(Type.Enum(['any', 'owner'])),
    /** Object numbers to reserve, as `POST …/object-numbers` does; callers who may not create annotations get none. */
    objectNumbers: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.reservationMax })),
  },
  strict,
)

const Count = Type.Integer({ minimum: 1 })
const { encryption, permissions, access } = DocumentHead.properties
const { canUpgradeToOwner: _, ...permissionMembers } = permissions.properties
const Flag = Type.Boolean()

export const DocumentAccess = Type.Object({
  /** State of the file as the caller reads it now. */
  security: Type.Object({ encryption, permissions, access }),
  /** Where versioned reads may be cached; there is no content delivery network in front of this server. */
  cdn: Type.Object({
    adapter: Type.Literal('none'),
    expiresAt: Count,
    cache: Type.Object({ scope: Type.Literal('browser-private'), immutableVersionedReads: Type.Boolean() }),
    baseUrlOverrides: Type.Null(),
    authHeader: Type.Null(),
    signedQueryParams: Type.Null(),
    signedCookies: Type.Null(),
    signedPathPolicies: Type.Null(),
  }),
  /** Reopens the session with a later token of the same subject; null without a password. */
  passwordGrant: Nullable(Type.String()),
  pdfPermissions: Type.Object({
    ...permissionMembers,
    flags: Type.Object({
      bit3: Flag,
      bit4: Flag,
      bit5: Flag,
      bit6: Flag,
      bit9: Flag,
      bit10: Flag,
      bit11: Flag,
      bit12: Flag,
    }),
    advisory: Type.Object({
      canPrint: Flag,
      canPrintHigh: Flag,
      canCopy: Flag,
      canAnnotate: Flag,
      canFillForms: Flag,
      canModifyForms: Flag,
      canModifyPages: Flag,
      canAssemble: Flag,
    }),
  }),
  /** Scopes of the token. */
  scope: Type.Array(Type.String()),
  /** Capabilities that the scopes give on this file, in alphabetical order, without those that a signature forbids. */
  effectiveScope: Type.Array(Type.String()),
  protection: Nullable(DocumentProtection),
  /** Person that the token acts for. */
  identity: Type.Object({
    userId: Type.Optional(Type.String()),
    displayName: Type.Optional(Type.String()),
    groupId: Type.Optional(Type.String()),
    groups: Type.Optional(Type.Array(Type.String())),
  }),
  originPasswordPolicy: Type.Object({ mode: Type.Enum(['not-needed', 'client-retry', 'server-session']) }),
  /** Object numbers that the request asked for; absent if it asked for none or the caller may not create annotations. */
  edit: Type.Optional(
    Type.Object({
      /** `live`: the numbers that the caller reserved earlier remain valid. */
      session: Type.Enum(['new', 'live']),
      ...ReservedNumbers.properties,
    }),
  ),
  /** End of the session, in seconds since 1970. */
  expiresAt: Count,
  renderPolicy: Type.Object({
    fullPage: Type.Object({ widths: Type.Array(Count) }),
    maxRenderPixels: Count,
    formats: Type.Array(Type.Enum(['webp', 'png'])),
    background: Type.Literal('white'),
    /** False: any size is drawn. */
    enforced: Type.Literal(false),
  }),
  /** Largest set of annotations that one change takes. */
  bundleLimits: Type.Object({
    bundleBytes: Count,
    manifestBytes: Count,
    items: Count,
    pages: Count,
    resources: Count,
    resourceBytes: Count,
    imagePixels: Count,
  }),
})
