// The moment of a change, as PDF writes dates (ISO 32000-2, 7.9.4).

/** Returns the PDF date of the moment, to the second, in UTC. */
export const dateOf = (milliseconds: number): string =>
  `D:${new Date(milliseconds).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
