// Rules that report fields without a counterpart, which are not sent.

import type { Finding } from '../../../core/plugin/declaration.js'
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import type { VaultBody } from '../../kinds/vault-body.js'
import { notSent, skillOrigin, uploadFieldsNotSent } from '../../shared/fields-not-sent.js'

export const droppedRules: readonly ProviderRule[] = [
  ...uploadFieldsNotSent('claude', 'Claude'),
  rule<VaultBody>({
    ...notSent('claude'),
    kind: 'vault',
    severity: 'note',
    spec: '2.7',
    *check({ declaration: { body } }): Iterable<Finding> {
      for (const [index, credential] of (body.credentials ?? []).entries())
        if (credential.type === 'static_bearer' && credential.protocol !== undefined)
          yield {
            at: ['credentials', index, 'protocol'],
            onKey: true,
            detail: 'Claude finds out the transport of an MCP server by itself.',
          }
    },
  }),
  skillOrigin('claude', 'organisation'),
]
