// Reads the signature fields of a file, or of a layer with its edits as the last revision: integrity, trust and
// protection.
import type { SignatureSnapshot } from '../contract/signatures/signature-snapshot.js'
import type { TrustRootsFolder } from '../messages/trust-roots.js'
import { fileSnapshot } from '../signatures/reading/file-snapshot.js'
import { TrustRootsCache } from '../signatures/trust/trust-roots.js'
import { verificationOf } from '../signatures/trust/verification-of.js'
import type { Job, OnDocument } from './job.js'
import { strictOptions, unlocked } from './strict-source.js'

export interface SignaturesInput extends OnDocument {
  readonly trustRoots?: TrustRootsFolder | undefined
}

const cache = new TrustRootsCache()

export const signatures: Job<SignaturesInput, SignatureSnapshot> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 50 },
  run: ({ source, trustRoots }) =>
    unlocked(source, () =>
      fileSnapshot(source.path, strictOptions(source), { verificationOf, roots: cache.rootsOf(trustRoots) }),
    ),
}
