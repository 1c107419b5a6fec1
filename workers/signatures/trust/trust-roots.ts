// Trusted roots: the certificates at which a chain must end.
import { type AlgorithmPolicy, defaultAlgorithmPolicy } from '../../contract/signatures/algorithm-policy.js'
import { BrokenTrustRoots, readTrustRoots, type TrustRootsFolder } from '../../messages/trust-roots.js'

export interface TrustRoots {
  /** Certificates in DER. */
  readonly certificates: readonly Uint8Array[]
  /** Algorithms and keys that are accepted. */
  readonly policy: AlgorithmPolicy
  /** Reason why the configured roots cannot be used, a sentence without a full stop. */
  readonly problem?: string
}

export const noTrustRoots: TrustRoots = { certificates: [], policy: defaultAlgorithmPolicy }

/** Caches the roots of the folder used last; each thread has a cache of its own. */
export class TrustRootsCache {
  #last: { readonly folder: TrustRootsFolder; readonly roots: TrustRoots } | undefined

  /**
   * Returns the roots; none for a folder that changed since the server read it, because results could not be
   * reproduced.
   */
  rootsOf(folder: TrustRootsFolder | undefined): TrustRoots {
    if (folder === undefined) return noTrustRoots
    if (this.#last?.folder.sha256 === folder.sha256 && this.#last.folder.path === folder.path) return this.#last.roots
    const roots = readAgain(folder)
    if (roots.problem === undefined) this.#last = { folder, roots }
    return roots
  }
}

function readAgain({ path, sha256 }: TrustRootsFolder): TrustRoots {
  try {
    const { certificates, policy, sha256: found } = readTrustRoots(path)
    if (found === sha256) return { certificates, policy }
    return {
      ...noTrustRoots,
      problem: 'The folder of trusted roots has changed since the server started; restart the server',
    }
  } catch (error) {
    if (error instanceof BrokenTrustRoots)
      return {
        ...noTrustRoots,
        problem: 'The folder of trusted roots can no longer be read; repair it and restart the server',
      }
    throw error
  }
}
