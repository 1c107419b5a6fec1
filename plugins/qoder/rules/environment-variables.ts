// Rules for environment variables of managed sessions and deployments, which are sent as one text without escapes,
// `KEY=VALUE;KEY=VALUE`.
import type { Finding, Project } from '../../../core/plugin/declaration.js'
import { knownText } from './known-text.js'

export function* badEnvironmentVariables(
  variables: Readonly<Record<string, string>>,
  project: Project,
): Iterable<Finding> {
  for (const [key, value] of Object.entries(variables)) {
    const at = ['environment_variables', key]
    if (key === '' || /[=;]/.test(key)) {
      yield {
        at,
        onKey: true,
        detail: 'The name is empty or holds "=" or ";", which separate names, values and variables.',
      }
    }
    if (knownText(value, project).includes(';')) {
      yield { at, detail: 'The value holds ";", which would end it: Qoder has no way to escape it.' }
    }
  }
}
