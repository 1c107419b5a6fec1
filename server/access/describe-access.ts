// Describes what a viewer may do with a document: the state of the file, the rights of the token, the limits of the server.
import type { Static } from 'typebox'
import { type Capability, isBitOn, permittedBy } from '../../workers/contract/capabilities.js'
import {
  type DocumentProtection,
  includesLevel,
  type ProtectionLevel,
} from '../../workers/contract/signatures/protection.js'
import type { OpenedAs } from '../../workers/file/unlock-pdf.js'
import { limits as engineLimits } from '../../workers/limits.js'
import { allCapabilities, scopeStrings } from '../auth/document-scope.js'
import type { Person } from '../auth/person.js'
import { headOf } from '../documents/head.js'
import { protectionOf } from '../documents/protection.js'
import { limits } from '../limits.js'
import { permissionBitsFor } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentAccess } from '../schemas/access.js'

export interface AccessState {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly openedAs: OpenedAs
  readonly passwordGrant: string | null
}

const everything = { isEverything: true, followsPdf: false, capabilities: [], collab: [] }

export async function describeAccess(
  context: DocumentContext,
  { expiresAt, openedAs, passwordGrant }: AccessState,
): Promise<Static<typeof DocumentAccess>> {
  const { document, caller } = context
  const [{ encryption, permissions, access }, protection] = await Promise.all([headOf(context), protectionOf(context)])
  const bits = permissionBitsFor(document.row, openedAs)
  const scope = caller.kind === 'document' ? caller.scope : everything
  const { canUpgradeToOwner: _, ...pdfPermissions } = permissions
  const seconds = Math.floor(expiresAt / 1000)
  const isServerSession = passwordGrant !== null && caller.kind === 'document'
  return {
    security: { encryption, permissions, access },
    cdn: { ...noNetwork, expiresAt: seconds },
    passwordGrant,
    pdfPermissions: { ...pdfPermissions, flags: flagsOf(bits), advisory: adviceOf(bits) },
    scope: [...scopeStrings(scope)],
    effectiveScope: allCapabilities(scope, bits).filter((name) => !isForbidden(name, protection)),
    protection,
    identity: caller.kind === 'document' ? identityOf(caller.person) : {},
    originPasswordPolicy: {
      mode: passwordGrant === null ? 'not-needed' : isServerSession ? 'server-session' : 'client-retry',
    },
    expiresAt: seconds,
    renderPolicy,
    bundleLimits: bundleLimitsOf(context.deployment.config.documentBytesMax),
  }
}

const noNetwork = {
  adapter: 'none',
  cache: { scope: 'browser-private', immutableVersionedReads: true },
  baseUrlOverrides: null,
  authHeader: null,
  signedQueryParams: null,
  signedCookies: null,
  signedPathPolicies: null,
} as const

/** Widths in pixels that viewers share pictures at; others are drawn too. */
const renderPolicy: Static<typeof DocumentAccess>['renderPolicy'] = {
  fullPage: { widths: [320, 640, 1280, 2560] },
  maxRenderPixels: engineLimits.pixelsMax,
  formats: ['webp', 'png'],
  background: 'white',
  enforced: false,
}

const bundleLimitsOf = (filesBytesMax: number) => ({
  bundleBytes: filesBytesMax,
  manifestBytes: limits.jsonBodyBytesMax,
  items: limits.opsMax,
  pages: engineLimits.pagesMax,
  resources: limits.requestFilesMax,
  resourceBytes: filesBytesMax,
  imagePixels: engineLimits.pixelsMax,
})

const identityOf = ({ groups, ...person }: Person) => ({ ...person, ...(groups ? { groups: [...groups] } : {}) })

/** Names of the permission bits of a file (ISO 32000-2, table 22) in the answer. */
const flagsOf = (permissionBits: number | null) => ({
  bit3: isBitOn(permissionBits, 'print'),
  bit4: isBitOn(permissionBits, 'modify'),
  bit5: isBitOn(permissionBits, 'copy'),
  bit6: isBitOn(permissionBits, 'annotate'),
  bit9: isBitOn(permissionBits, 'fill'),
  bit10: isBitOn(permissionBits, 'accessibility'),
  bit11: isBitOn(permissionBits, 'assemble'),
  bit12: isBitOn(permissionBits, 'printHigh'),
})

function adviceOf(permissionBits: number | null) {
  const permitted = new Set(permittedBy(permissionBits))
  return {
    canPrint: permitted.has('doc.print'),
    canPrintHigh: permitted.has('doc.print.high'),
    canCopy: permitted.has('doc.text.copy'),
    canAnnotate: permitted.has('doc.annotate.modify'),
    canFillForms: permitted.has('doc.forms.fill'),
    canModifyForms: permitted.has('doc.forms.modify'),
    canModifyPages: permitted.has('doc.pages.modify'),
    canAssemble: permitted.has('doc.pages.assemble'),
  }
}

/** Level of changes that a writing capability needs; `content` is above all of them. */
const neededLevels: Readonly<Partial<Record<Capability, ProtectionLevel | 'content'>>> = {
  'doc.forms.fill': 'fill',
  'doc.sign': 'fill',
  'doc.annotate.modify': 'annotate',
  'doc.forms.modify': 'content',
  'doc.pages.modify': 'content',
  'doc.pages.assemble': 'content',
  'doc.metadata.modify': 'content',
  'doc.attachments.modify': 'content',
  'doc.redact': 'content',
  'doc.sign.certify': 'content',
}

/** True if the signatures of the document permit no change that the capability gives. */
function isForbidden(capability: Capability, { enforced }: DocumentProtection): boolean {
  const needed = neededLevels[capability]
  if (enforced === null || needed === undefined) return false
  return needed === 'content' || !includesLevel(enforced, needed)
}
