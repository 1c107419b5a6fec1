// Where files and repositories of a session appear on Qoder.
/** Everything a session sees is mounted below it (agent configuration 2.14). */
export const mountRoot = '/data'

/** Default folders of repositories and files. */
export const workspace = 'workspace'
