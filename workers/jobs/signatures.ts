// Lists the signature fields of a file with its revisions and protection (`doc.signatures.list`,
// `doc.versions.signatures`).
import type { SignatureSnapshot } from '../contract/signatures/signature-snapshot.js'
import type { TrustRootsFolder } from '../messages/trust-roots.js'
import { fileSnapshot } from '../signatures/reading/file-snapshot.js'
import { TrustRootsCache } from '../signatures/trust/trust-roots.js'
import { verificationOf } from '../signatures/trust/verification-of.js'
import type { Job, OnDocument } from './job.js'
import { refuseLocked, strictOptions } from './strict-source.js'

export interface SignaturesInput extends OnDocument {
  /** Roots that signers are trusted by; undefined = none. */
  readonly trustRoots?: TrustRootsFolder | undefined
  /** Time at which the signatures are judged, in milliseconds. */
  readonly now: number
}

/** Cached roots of this thread. */
const cache = new TrustRootsCache()

export const signatures: Job<SignaturesInput, SignatureSnapshot> = {
  kind: 'read',
  // The bytes of the file are read once for each digest algorithm and signature.
  deadline: { constantMs: 10_000, perMegabyteMs: 200 },
  run: ({ source, trustRoots, now }) => {
    const roots = cache.rootsOf(trustRoots)
    const setup = { verificationOf, roots, now: new Date(now) }
    return refuseLocked(source, () => fileSnapshot(source.path, strictOptions(source), setup))
  },
}
