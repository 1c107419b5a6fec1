// `steward/server/conformance`: what a store, blobs, leases and a bus must do, for whoever writes other ones.
export { blobsConformance, type OpenBlobs } from './blobs.js'
export { busConformance, type OpenBus } from './bus.js'
export { leasesConformance, type OpenLeases } from './leases.js'
export { type OpenStore, storeConformance } from './store.js'
export type { Tester } from './tester.js'
