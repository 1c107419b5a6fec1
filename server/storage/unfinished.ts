// Marks of a target whose copy or restore has not ended: the file `restoring` of a data folder, or a fact of a
// database. No server opens a marked target. The mark of a restore names the files that belong to it, so that repeating
// it removes no others.

/** Name of the fact. */
export const unfinishedFact = 'unfinished copy'

/** Content of the mark of a copy. */
export const copyMark = 'copy'

const restorePrefix = 'restore '

/** `files`: place of the files that are restored with the rows. */
export const restoreMark = (files: string): string => `${restorePrefix}${files}`

/** Returns the place of the files; undefined for the mark of anything but a restore. */
export const filesOfMark = (mark: string | undefined): string | undefined =>
  mark?.startsWith(restorePrefix) ? mark.slice(restorePrefix.length) : undefined
