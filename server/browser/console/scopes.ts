// Scopes of links and tokens, in groups that people choose from.
import type { ScopePreset } from '../../auth/scope-presets.js'
import type { TenantScope } from '../../auth/tenant-scopes.js'
import type { TextName } from './texts.js'

export interface Ability {
  readonly name: TextName
  readonly preset: ScopePreset
  /** Scopes that gave it in shares that were made before. */
  readonly before?: readonly string[]
}

/** More than reading. */
export const abilities: readonly Ability[] = [
  { name: 'mayPrint', preset: 'print' },
  { name: 'mayDownload', preset: 'download' },
  { name: 'mayFill', preset: 'fill' },
  { name: 'mayComment', preset: 'comment' },
  { name: 'mayModerate', preset: 'moderate', before: ['doc.annotate.modify'] },
]

export const tenantAbilities: readonly { readonly name: TextName; readonly scope: TenantScope }[] = [
  { name: 'mayRead', scope: 'docs.read' },
  { name: 'mayCreate', scope: 'docs.create' },
  { name: 'mayDelete', scope: 'docs.delete' },
  { name: 'mayUndo', scope: 'docs.undo' },
  { name: 'mayShare', scope: 'shares.manage' },
  { name: 'mayIssue', scope: 'tokens.issue-doc' },
  { name: 'mayRevoke', scope: 'tokens.revoke' },
]
