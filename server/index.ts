// `steward/server`: embeds the document server in another program, and exports the ports that other storage adapters
// implement. docs/embedding.md shows how and lists every name.
export { type AppOptions, buildApp } from './lifecycle/app.js'
export { type DeploymentOptions, type OpenedDeployment, openDeployment } from './lifecycle/open-deployment.js'
export { type RunningServer, type StartOptions, startServer } from './lifecycle/start.js'
export type { Deployment } from './operation/deployment.js'
export type { Config } from './settings/config.js'
export { readSettings, type SettingSources } from './settings/settings.js'
export {
  type BlobChecks,
  type BlobFacts,
  BlobMismatch,
  BlobMissing,
  type BlobName,
  type Blobs,
  BlobTooLarge,
  type ByteRange,
  type LocalCopy,
  type PresignedUpload,
} from './storage/blobs.js'
export type { Bus } from './storage/bus.js'
export type { Key, KeyRange } from './storage/keys.js'
export type { Lease, Leases } from './storage/leases.js'
export { LevelStore } from './storage/level-store.js'
export { MemoryBus } from './storage/memory-bus.js'
export { MemoryLeases } from './storage/memory-leases.js'
export {
  type Amendment,
  type Commit,
  type CommitOutcome,
  type Entry,
  type Expectation,
  type Range,
  type Store,
  StoreBroken,
  StoreUnavailable,
  type Value,
} from './storage/store.js'
