// Root folder of files and repositories in sessions.
/** Root of all mounts of a session (agent configuration 2.14). */
export const mountRoot = '/data'

/** Default folders of repositories and files. */
export const workspace = 'workspace'
