// Recorded changes of the shapes of rows. Format 1 has the first shape of every kind; each entry adds one format. How to
// add one: docs/decisions/0019-two-formats-of-rows-side-by-side.md.

/** Change of the shape of one kind of row. The functions are pure, and never change once they are released. */
export interface RowChange {
  /** Converts the previous shape to the new one. */
  upgrade(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Converts the new shape back, with everything that the previous one had. */
  downgrade(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** Changes of one format, by the name of the row kind. */
export type RowFormat = Readonly<Record<string, RowChange>>

/** Formats from number 2, in order. */
export const rowFormats: readonly RowFormat[] = []
