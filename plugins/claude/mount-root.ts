// Where everything that a session sees is mounted (agent configuration 2.14).
export const mountRoot = '/workspace'
