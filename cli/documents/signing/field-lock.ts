// Parses `--lock` of a signing: `all`, `include:A,B` or `exclude:A,B`.
import type { FieldLock } from '../../../workers/contract/signatures/field-lock.js'
import { UsageProblem } from '../../line/usage.js'

export function fieldLock(text: string): FieldLock {
  if (text === 'all') return { action: 'all', fields: [] }
  const [, action, names = ''] = /^(include|exclude):(.+)$/.exec(text) ?? []
  const fields = names.split(',').filter((name) => name !== '')
  if ((action === 'include' || action === 'exclude') && fields.length > 0) return { action, fields }
  throw new UsageProblem('cli.bad-value', {
    detail: `--lock is "${text}".`,
    fix: 'Write all, include:NAME,NAME or exclude:NAME,NAME.',
  })
}
