// Formats the time of a change as a PDF date (ISO 32000-2, 7.9.4).

/** Returns the PDF date of the moment, to the second, in UTC. */
export const dateOf = (milliseconds: number): string =>
  `D:${new Date(milliseconds).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
