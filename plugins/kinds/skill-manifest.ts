// The front matter of SKILL.md: every provider knows a skill by the name in it.
import { parse } from 'yaml'
import { isObject } from '../../core/value/tree.js'

export const manifest = 'SKILL.md'

const frontMatter = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/** Returns the name of a skill, or what is wrong with the text of its SKILL.md. `folder`: its name in that sentence. */
export function nameInManifest(text: string, folder: string): { readonly name: string } | { readonly fault: string } {
  const match = frontMatter.exec(text)
  if (!match) return { fault: `${manifest} in ${folder} does not begin with front matter between two lines of ---.` }
  const values = parsed(match[1] ?? '')
  if (values === undefined) return { fault: `The front matter of ${manifest} in ${folder} is not YAML.` }
  const name = isObject(values) ? values['name'] : undefined
  if (typeof name === 'string' && /^[^\s/\\]+$/.test(name) && name !== '.' && name !== '..') return { name }
  return { fault: `The front matter of ${manifest} in ${folder} has no name that could be the name of a folder.` }
}

/** Returns null for an empty text, and undefined for one that is not YAML. */
function parsed(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}
