// The files of the pages for people, as `npm run build` made them.
import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

const Built = Type.Record(Type.String(), Type.Object({ script: Type.String(), style: Type.String() }))

/** Files of a page, by names that change with their content. */
export interface BuiltPage {
  readonly script: string
  readonly style: string
}

/** Reads which files each page consists of. Throws if the program was not built. */
export function builtPages(): Static<typeof Built> {
  const text = readFileSync(new URL(import.meta.resolve('#pages')), 'utf8')
  return Value.Parse(Built, JSON.parse(text))
}

/** Reads a file of `builtPages`. */
export const builtFile = (name: string): string => readFileSync(new URL(name, import.meta.resolve('#pages')), 'utf8')
