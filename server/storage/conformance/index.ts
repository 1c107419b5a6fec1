// `steward/server/conformance`: conformance suites of stores, blobs, leases and buses, for authors of other adapters.
export { blobsConformance, type OpenBlobs } from './blobs.js'
export { busConformance, type OpenBus, sharedBusConformance } from './bus.js'
export { leasesConformance, type OpenLeases, sharedLeasesConformance } from './leases.js'
export { type OpenSharedBlobs, sharedBlobsConformance } from './shared-blobs.js'
export { type OpenStore, storeConformance } from './store.js'
export type { Tester } from './tester.js'
