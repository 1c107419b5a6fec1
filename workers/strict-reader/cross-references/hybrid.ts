// Joins the table and the stream of a hybrid file (ISO 32000-2, 7.5.8.4): the stream defines what the table hides as
// free. Where both define a number in different ways, readers disagree, unless the stream is that of an older section.
import { NotStrict } from '../strict-document.js'
import type { Entry, Section } from './section.js'

export function joinHybrid(table: Section, stream: Section, isOlderStream = false): Section {
  return {
    ...table,
    hidden: stream,
    entry: (number) => {
      const [open, hidden] = [table.entry(number), stream.entry(number)]
      if (open === undefined || hidden === undefined) return open ?? hidden
      if (open.kind === 'free') return hidden
      if (!isOlderStream && !isSameEntry(open, hidden))
        throw new NotStrict('A hybrid file defines an object twice', stream.offset)
      return open
    },
  }
}

const isSameEntry = (one: Entry, other: Entry): boolean =>
  one.kind === 'file' && other.kind === 'file' && one.offset === other.offset && one.generation === other.generation
