// Scopes of links and tokens, in groups that people choose from.
import type { TenantScope } from '../../auth/tenant-scopes.js'
import type { TextName } from './texts.js'

/** Looking at a document without saving it: the least that a link is for. */
export const reading: readonly string[] = [
  'doc.open',
  'doc.render',
  'doc.text.select',
  'doc.text.copy',
  'doc.text.search',
  'doc.annotate.read',
  'doc.forms.read',
]

export interface Ability {
  readonly name: TextName
  readonly scope: readonly string[]
  /** What gave it in shares that were made before. */
  readonly before?: readonly string[]
}

/** More than reading. `agents documents share` has the same, by other names. */
export const abilities: readonly Ability[] = [
  { name: 'mayPrint', scope: ['doc.print', 'doc.print.high'] },
  { name: 'mayDownload', scope: ['doc.download'] },
  { name: 'mayFill', scope: ['doc.forms.fill'] },
  { name: 'mayComment', scope: ['annotations:*:self'] },
  { name: 'mayModerate', scope: ['annotations:*:all'], before: ['doc.annotate.modify'] },
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
