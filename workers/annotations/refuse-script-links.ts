// Refuses links whose target would be executed instead of opened.
import { JobRefusal } from '../contract/job-refusal.js'

/** URI schemes whose content is a program or a whole document, which a viewer would run in its own context. */
const scripting: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data'])

/** Parses the scheme like browsers, which ignore leading control characters, tabs and line breaks. */
function schemeOf(uri: string): string | undefined {
  const visible = uri.replace(/[^!-~]/g, '')
  return /^([^:]{0,64}):/.exec(visible)?.[1]?.toLowerCase()
}

/** Throws `InvalidArg` for a target whose scheme is executed. `target`: target member of a link annotation. */
export function refuseScriptLink(target: unknown): void {
  if (typeof target !== 'object' || target === null || !('uri' in target) || typeof target.uri !== 'string') return
  const scheme = schemeOf(target.uri)
  if (scheme !== undefined && scripting.has(scheme))
    throw new JobRefusal('InvalidArg', `A link cannot have the scheme ${scheme}:`, { member: 'target/uri' })
}
