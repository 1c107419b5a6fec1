// What the simulation assumes: a workload that grows in units, the machines that serve it, and prices.
import { limits } from '../../server/limits.ts'
import { limits as threadLimits } from '../../workers/limits.ts'

/** Requests of one unit of the workload; a thousand units have a thousand times the rate and the documents. */
export const unit = {
  requestsPerSecond: 100,
  /** Documents that are asked for within a day. */
  activeDocuments: 10_000,
  pagesOfDocument: 20,
  /** Share of each kind of request. Other reads cost what a cached picture costs. */
  shares: { picture: 0.88, other: 0.069, change: 0.05, upload: 0.001 },
  /** The document of rank r is asked for in proportion to r to the power of minus this. */
  popularityExponent: 0.9,
}

/** One process of a machine, as `--processes` shares it out. */
export const process = {
  cores: 4,
  openDocuments: 4 * threadLimits.hotDocumentsMax,
  cachedBytes: limits.answerCacheBytesMax,
  /** Larger caches of pictures that are compared with it. */
  largerCachesBytes: [1024 ** 3, 16 * 1024 ** 3],
  /** Default of `--blob-cache-bytes`. */
  copiedBytes: 8 * 1024 ** 3,
  /** Use of its cores that the plan aims at, which leaves room for the loss of a third of the machines. */
  aimedUse: 0.4,
}

export const database = { cores: 16, aimedUse: 0.5 }

/** Part of the capacity of a process that one document may take before several processes serve it. */
export const hotDocumentUse = 0.1

/** Dollars, rounded from public price lists; transfer to clients is not included. */
export const prices = {
  coreHour: 0.04,
  databaseCoreHour: 0.1,
  objectGigabyteMonth: 0.023,
  thousandObjectReads: 0.0004,
  thousandObjectWrites: 0.005,
}
