// Folders that mounts in sessions may be in (agent configuration 2.14).

/** Root folder of all mounts. */
export const mountRoot = '/data'

/** Default folders of repositories and files. */
export const workspace = 'workspace'
