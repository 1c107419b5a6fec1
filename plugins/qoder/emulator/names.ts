// Names of the collections that several resources read.

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

/** The two APIs, which share no other collection. */
export type Api = 'managed' | 'forward'
type PerApi = Readonly<Record<Api, string>>

export const environmentCollections: PerApi = { managed: 'environments', forward: 'forward_environments' }
export const vaultCollections: PerApi = { managed: 'vaults', forward: 'forward_vaults' }
export const skillCollections: PerApi = { managed: 'skills', forward: 'forward_skills' }
export const fileCollections: PerApi = { managed: 'files', forward: 'forward_files' }
export const sessionCollections: PerApi = { managed: 'sessions', forward: 'forward_sessions' }
