// Folders of mounts in sessions (agent configuration 2.14).

/** Root folder of all mounts. */
export const mountRoot = '/data'

/** Default folders of repositories and files. */
export const workspace = 'workspace'
