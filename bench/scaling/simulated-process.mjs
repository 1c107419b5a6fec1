// One process of a deployment: its caches, and what the requests that reach it cost.
import { LRUCache } from 'lru-cache'
import { WeightedDraw } from './popularity.mjs'
import { process as machine, unit } from './workload.mjs'

/** Requests that are counted; those before them fill the caches, as many as several times the pictures that fit. */
const countedRequests = 40_000
const warmingRequestsMin = 60_000

/**
 * Returns means over the requests that reach a process. `load`: its documents with their shares of all requests. `changedElsewhere`:
 * share of the changes of a document that other processes make. `cachedBytes`: size of the cache of pictures.
 */
export function simulateProcess({ load, requestsPerSecond, figures, random, changedElsewhere, cachedBytes }) {
  const caches = {
    pictures: new LRUCache({ max: Math.floor(cachedBytes / figures.pictureBytes) }),
    open: new LRUCache({ max: machine.openDocuments }),
    copies: new LRUCache({ max: Math.floor(machine.copiedBytes / figures.documentBytes) }),
  }
  const warmingRequests = Math.max(warmingRequestsMin, 4 * caches.pictures.max)
  const draw = new WeightedDraw(load.shares)
  const counted = {
    cached: 0,
    drawn: 0,
    opened: 0,
    fetched: 0,
    serverMs: 0,
    databaseMs: 0,
    redisMs: 0,
    databaseLogBytes: 0,
  }
  const gapSeconds = 1 / (requestsPerSecond * load.share)
  const add = (costs) => {
    for (const name of ['serverMs', 'databaseMs', 'redisMs', 'databaseLogBytes']) counted[name] += costs[name]
  }
  for (let index = 0; index < warmingRequests + countedRequests; index++) {
    if (index === warmingRequests) for (const name of Object.keys(counted)) counted[name] = 0
    const position = draw.next(random())
    const document = load.documents[position]
    const changesPerSecond = requestsPerSecond * load.shares[position] * unit.shares.change
    const now = index * gapSeconds
    const request = {
      document,
      now,
      changesPerSecond,
      changedElsewhere,
      page: Math.floor(random() * unit.pagesOfDocument),
    }
    const kind = kindOf(random())
    if (kind === 'upload') add(figures.upload)
    else if (kind === 'other') add(figures.cachedPicture)
    else if (kind === 'change') {
      if (open(request, { caches, random, counted }) !== 'open') add(figures.openedDocument)
      add(figures.change)
      caches.pictures.delete(pictureOf(request))
    } else {
      const found = pictureFrom(request, { caches, random, counted })
      counted[found] += 1
      add(figures[costOf[found]])
    }
  }
  return Object.fromEntries(Object.entries(counted).map(([name, sum]) => [name, sum / countedRequests]))
}

const costOf = { cached: 'cachedPicture', drawn: 'drawnPicture', opened: 'openedDocument' }

const pictureOf = ({ document, page }) => document * unit.pagesOfDocument + page

/** Where a picture comes from: the cache, an open document, or a file that is opened for it. */
function pictureFrom(request, context) {
  const { caches, random } = context
  const key = pictureOf(request)
  const since = caches.pictures.get(key)
  caches.pictures.set(key, request.now)
  const changes = (request.changesPerSecond * request.changedElsewhere) / unit.pagesOfDocument
  if (since !== undefined && !isChanged(changes * (request.now - since), random)) return 'cached'
  return open(request, context) === 'open' ? 'drawn' : 'opened'
}

/** Opens a document; a change that another process made since makes this process open it again. */
function open({ document, now, changesPerSecond, changedElsewhere }, { caches, random, counted }) {
  const since = caches.open.get(document)
  caches.open.set(document, now)
  if (since !== undefined && !isChanged(changesPerSecond * changedElsewhere * (now - since), random)) return 'open'
  if (!caches.copies.has(document)) counted.fetched += 1
  caches.copies.set(document, true)
  return 'opened'
}

/** Whether something that happens at random, so often on average, happened at all. */
const isChanged = (expected, random) => random() < 1 - Math.exp(-expected)

function kindOf(random) {
  let left = random
  for (const [kind, share] of Object.entries(unit.shares)) {
    left -= share
    if (left < 0) return kind
  }
  return 'picture'
}
