// Names of collections that several files use.

export const agents = 'agents'
export const templates = 'templates'
export const identities = 'identities'
export const channels = 'channels'
export const tunnels = 'tunnels'
export const mounts = 'mounts'
/** Collection of memory stores, which both APIs share. */
export const memoryStores = 'memory_stores'
export const memories = 'memories'
export const deployments = 'deployments'
export const events = 'events'

/** One of the two APIs. They have separate collections of everything but memory stores. */
export type Api = 'managed' | 'forward'
type PerApi = Readonly<Record<Api, string>>

export const environmentCollections: PerApi = { managed: 'environments', forward: 'forward_environments' }
export const vaultCollections: PerApi = { managed: 'vaults', forward: 'forward_vaults' }
export const skillCollections: PerApi = { managed: 'skills', forward: 'forward_skills' }
export const fileCollections: PerApi = { managed: 'files', forward: 'forward_files' }
export const sessionCollections: PerApi = { managed: 'sessions', forward: 'forward_sessions' }
