// Where files and repositories of a session appear on Qoder.
/** Everything a session sees is mounted below it (agent configuration 2.14). */
export const mountRoot = '/data'

/** Where repositories and files go that nobody gave a place. */
export const workspace = 'workspace'
