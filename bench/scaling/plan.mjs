// What a deployment needs for a number of units of the workload: processes, databases, requests to the object store, money.
import { placed } from './placement.mjs'
import { sharesByRank } from './popularity.mjs'
import { simulateProcess } from './simulated-process.mjs'
import { database, hotDocumentUse, process as machine, prices, unit } from './workload.mjs'

/** Processes whose caches are simulated, the busiest one included. */
const sampledProcesses = 3
/** The number of processes decides how warm their caches are, which decides their number: until it changes no more. */
const roundsMax = 10
const settledWithin = 0.03
const secondsOfMonth = 730 * 3600

/** How requests find a process. */
export const placements = {
  any: 'any process',
  document: 'by document',
  spread: 'by document, hot ones spread',
}

/** Returns the plan as numbers. */
export function planFor(units, placement, { figures, random, cachedBytes = machine.cachedBytes }) {
  const rate = units * unit.requestsPerSecond
  const shares = sharesByRank(units * unit.activeDocuments, unit.popularityExponent)
  const capacityMs = machine.cores * 1000
  let processes = Math.max(1, Math.ceil((rate * figures.drawnPicture.serverMs) / (capacityMs * machine.aimedUse)))
  let found = { busiest: undefined, mean: undefined }
  for (let round = 0; round < roundsMax; round++) {
    const loads = loadsOf({ placement, shares, processes, rate, capacityMs, figures })
    const changedElsewhere = placement === 'any' ? 1 - 1 / processes : 0
    found = sampled({ loads, rate, figures, random, cachedBytes, changedElsewhere })
    const needed = Math.max(1, Math.ceil((rate * found.mean.serverMs) / (capacityMs * machine.aimedUse)))
    if (Math.abs(needed - processes) <= settledWithin * processes) break
    processes = Math.ceil((needed + processes) / 2)
  }
  const { mean, busiest } = found
  const use = ({ serverMs, share }) => (rate * share * serverMs) / capacityMs
  const databaseCores = (rate * mean.databaseMs) / 1000
  return {
    units,
    placement,
    cachedBytes,
    rate,
    processes,
    cachedShare: mean.cached / unit.shares.picture,
    meanUse: (rate * mean.serverMs) / (processes * capacityMs),
    busiestUse: use(busiest),
    databaseCores,
    databases: Math.max(1, Math.ceil(databaseCores / (database.cores * database.aimedUse))),
    logMegabytes: (rate * mean.databaseLogBytes) / 1e6,
    redisCores: (rate * mean.redisMs) / 1000,
    fetches: rate * mean.fetched,
    answeredMegabytes: (rate * unit.shares.picture * figures.pictureBytes) / 1e6,
    newTerabytesOfMonth: (rate * unit.shares.upload * secondsOfMonth * figures.documentBytes) / 1e12,
    dollarsOfMonth: dollars({ processes, databaseCores, rate, fetched: mean.fetched, figures }),
  }
}

function loadsOf({ placement, shares, processes, rate, capacityMs, figures }) {
  if (placement === 'any') {
    // Every process is asked for everything; one stands for all.
    const each = shares.map((share) => share / processes)
    return [{ documents: Uint32Array.from(shares.keys()), shares: each, share: 1 / processes }]
  }
  const loadOf = (share) => (rate * share * figures.cachedPicture.serverMs) / capacityMs
  const copiesOf = placement === 'spread' ? (share) => Math.max(1, Math.ceil(loadOf(share) / hotDocumentUse)) : () => 1
  return placed(shares, processes, copiesOf)
}

/** Simulates the busiest process and some others; the mean is weighed by the requests that reach them. */
function sampled({ loads, rate, ...given }) {
  const byShare = loads.filter(({ share }) => share > 0).sort((a, b) => b.share - a.share)
  const step = Math.max(1, Math.floor(byShare.length / sampledProcesses))
  const chosen = byShare.filter((_, index) => index % step === 0).slice(0, sampledProcesses)
  const results = chosen.map((load) => ({
    ...simulateProcess({ load, requestsPerSecond: rate, ...given }),
    share: load.share,
  }))
  const [busiest, ...others] = results
  // The busiest process has the most popular documents; it stands for itself, the others for the rest.
  const rest = others.length === 0 ? busiest : meanOf(others)
  const mean = Object.fromEntries(
    Object.keys(busiest).map((name) => [name, busiest[name] * busiest.share + rest[name] * (1 - busiest.share)]),
  )
  return { busiest, mean: others.length === 0 ? busiest : mean }
}

function meanOf(results) {
  const names = Object.keys(results[0])
  return Object.fromEntries(
    names.map((name) => [name, results.reduce((sum, one) => sum + one[name], 0) / results.length]),
  )
}

function dollars({ processes, databaseCores, rate, fetched, figures }) {
  const requests = rate * secondsOfMonth
  const uploaded = requests * unit.shares.upload
  const hours = secondsOfMonth / 3600
  return {
    processes: processes * machine.cores * hours * prices.coreHour,
    databases: (databaseCores / database.aimedUse) * hours * prices.databaseCoreHour,
    // A year of uploads is kept.
    objects:
      ((12 * uploaded * figures.documentBytes) / 1e9) * prices.objectGigabyteMonth +
      ((requests * fetched) / 1000) * prices.thousandObjectReads +
      (uploaded / 1000) * prices.thousandObjectWrites,
  }
}
