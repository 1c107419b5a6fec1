// Root folder of everything mounted into a session (agent configuration 2.14).
export const mountRoot = '/mnt'
