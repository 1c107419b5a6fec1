// Links that would run what they name, instead of leading there.
import { JobRefusal } from '../../task.js'

/** Schemes whose addresses are programs or whole documents, which a viewer would run as its own. */
const scripting: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data'])

/** As browsers read a scheme: what stands in front of it, and tabs and line breaks in it, do not count. */
const schemeOf = (uri: string): string | undefined =>
  /^[^!-~]*([^:]{0,64}):/
    .exec(uri)?.[1]
    ?.replace(/[^!-~]/g, '')
    .toLowerCase()

/** `target`: the member of a link. Throws `InvalidArg`. */
export function refuseScriptLink(target: unknown): void {
  if (typeof target !== 'object' || target === null || !('uri' in target) || typeof target.uri !== 'string') return
  const scheme = schemeOf(target.uri)
  if (scheme !== undefined && scripting.has(scheme))
    throw new JobRefusal('InvalidArg', `A link cannot have the scheme ${scheme}:`, { member: 'target/uri' })
}
