// All caches of a running server between its store and its responses. Each names the row of `npm run bench` that is
// slower without it. Beside them, each worker thread has its open documents and change caches.
import type { InlineAnnotation } from '../../workers/messages/task.js'
import type { VerifiedToken } from '../auth/authenticator.js'
import { limits } from '../limits.js'
import type { Refusal } from '../refusals/refusal.js'
import type { DecodedRow } from '../storage/decoded-rows.js'
import type { Metrics } from '../telemetry/metrics.js'
import { AnswerCache } from './answer-cache.js'
import { Cache } from './cache.js'
import { bytesOfMove, type ComputedMove } from './moved-layer.js'
import { ProvenPasswords } from './proven-passwords.js'

/** Page facts of a version, recorded at ingest. */
export interface VersionPages {
  /** Object numbers of the pages, in display order. */
  readonly numbers: readonly number[]
  /** Annotations that the uploaded file stores inline, with the object numbers reserved for them. */
  readonly inlineAnnotations: readonly InlineAnnotation[]
}

/** Approximate memory of a number or of a small object in a list. */
const itemBytes = 64

export class Caches {
  readonly answers: AnswerCache

  /**
   * Large JSON as it is sent (the row "95th percentile of small requests beside eight readers of the largest lists").
   */
  readonly compressed = new Cache<Buffer>({
    bytesMax: limits.compressedCacheBytesMax,
    bytesOf: ({ length }) => length,
  })

  /**
   * Decoded rows (the row "cached page images a second"). An entry takes about as much memory as its key, which
   * contains the bytes of the row.
   */
  readonly rows = new Cache<DecodedRow>({ bytesMax: limits.decodedRowBytesMax, bytesOf: (_, { length }) => length })

  /** Page facts of versions (the row "one annotation on a document of 50,000 pages"). */
  readonly versionPages = new Cache<VersionPages>({
    bytesMax: limits.versionPagesBytesMax,
    bytesOf: ({ numbers, inlineAnnotations }) => itemBytes * (numbers.length + inlineAnnotations.length),
  })

  /**
   * Layers that were moved over a newer version. Without this cache, every read of such a layer would merge it again
   * until its next change.
   */
  readonly moves = new Cache<ComputedMove>({ bytesMax: limits.computedMoveBytesMax, bytesOf: bytesOfMove })

  /** Texts of refused changes, which no row has: a repeated request gets the answer of the first one. */
  readonly refusals = new Cache<Refusal>({
    bytesMax: limits.refusalTextBytesMax,
    bytesOf: ({ message, details }) => 2 * (message.length + JSON.stringify(details ?? {}).length) + 1024,
  })

  readonly provenPasswords = new ProvenPasswords()

  /** Verified tokens (the row "cached page image sent to a document token"). */
  readonly verifiedTokens = new Cache<VerifiedToken>({
    bytesMax: limits.verifiedTokenBytesMax,
    bytesOf: (token) => 2 * JSON.stringify(token).length,
  })

  constructor(metrics: Metrics) {
    this.answers = new AnswerCache(metrics)
  }

  /** Evicts content that must not stay in memory; values being computed at this moment are not cached. */
  eraseContent(): void {
    for (const cache of [this.answers, this.compressed, this.rows, this.versionPages, this.moves, this.refusals])
      cache.clear()
  }
}
