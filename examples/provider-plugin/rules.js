// Rules for declarations that the file format allows and Acme refuses. They are reported with their place in
// agents.yaml before any call is made.
import { rule } from 'steward/plugin'

/**
 * @import { ProviderRule } from 'steward/plugin'
 * @import { EnvironmentBody, VaultBody } from 'steward/kinds'
 */

/** @type {ProviderRule<EnvironmentBody>} */
const noScript = {
  code: 'acme.setup-script',
  severity: 'error',
  kind: 'environment',
  phase: 'declaration',
  summary: 'The provider runs no script while it prepares a sandbox',
  fix: 'Remove setup_script.',
  *check({ declaration }) {
    if (declaration.body.config?.setup_script === undefined) return
    yield { at: ['config', 'setup_script'], onKey: true, detail: 'Acme prepares sandboxes from packages alone.' }
  },
}

/** @type {ProviderRule<VaultBody>} */
const bearerOnly = {
  code: 'acme.credential-type',
  severity: 'error',
  kind: 'vault',
  phase: 'declaration',
  summary: 'The provider keeps only bearer tokens',
  fix: 'Use a credential of type static_bearer.',
  *check({ declaration }) {
    for (const [index, { type, name }] of (declaration.body.credentials ?? []).entries())
      if (type !== 'static_bearer')
        yield { at: ['credentials', index, 'type'], detail: `"${name}" is of another type than static_bearer.` }
  },
}

export const rules = [rule(noScript), rule(bearerOnly)]
