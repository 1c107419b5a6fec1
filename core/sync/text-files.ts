// Finds the file that a declaration names for a text (`instructions: ./reviewer.md`), into which sync writes the
// provider's text.

import { substitute } from '../declaration/substitute.js'
import { isPath } from '../declaration/text-reader.js'
import type { Declaration, Project } from '../plugin/declaration.js'
import type { JsonObject } from '../value/tree.js'

export interface TextFile {
  /** Path as agents.yaml writes it. */
  readonly written: string
  /** Absolute path. */
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Returns the file behind a field; its text is the field's value. */
export function textFileOf(declaration: Declaration, written: JsonObject, field: string): TextFile | undefined {
  const named = written[field]
  const text = declaration.body[field]
  if (typeof named !== 'string' || typeof text !== 'string' || !isPath(named)) return undefined
  const source = [...declaration.sources.values()].find((one) => one.kind === 'file' && isNamedBy(one.written, named))
  if (source === undefined || text === source.written) return undefined
  return { written: source.written, path: source.path, before: text, after: text }
}

/** True if other declarations name the file and would get the text as well. */
export function isShared(project: Project, { kind, name }: Declaration, file: TextFile): boolean {
  return project.declarations.some(
    (other) =>
      (other.kind !== kind || other.name !== name) &&
      [...other.sources.values()].some(({ path }) => path === file.path),
  )
}

/** True if the path is the named one. The named path may contain references to variables, which match any text. */
function isNamedBy(path: string, named: string): boolean {
  const mark = '\u0001'
  const { text } = substitute(named.trim(), () => mark)
  const [start = '', ...rest] = text.split(mark)
  const end = rest.at(-1) ?? ''
  return rest.length === 0 ? path === start : path.startsWith(start) && path.endsWith(end)
}
