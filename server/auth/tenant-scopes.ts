// Scopes of tenant tokens.

export const tenantScopes = [
  'docs.create',
  'docs.read',
  'docs.delete',
  'docs.undo',
  'tokens.issue-doc',
  'tokens.revoke',
  'shares.manage',
  'webhooks.manage',
  '*',
] as const

export type TenantScope = (typeof tenantScopes)[number]

export function isTenantScope(text: string): text is TenantScope {
  return tenantScopes.some((scope) => scope === text)
}
