// Checks the folder of trusted roots once, at the start.
import { resolve } from 'node:path'
import { BrokenTrustRoots, readTrustRoots, type TrustRootsFolder } from '../../workers/messages/trust-roots.js'
import type { Config } from './config.js'
import { serveProblem } from './problems.js'

export function configuredRoots({ trustRoots }: Pick<Config, 'trustRoots'>): TrustRootsFolder | undefined {
  if (trustRoots === undefined) return undefined
  const path = resolve(trustRoots)
  try {
    return { path, sha256: readTrustRoots(path).sha256 }
  } catch (error) {
    if (!(error instanceof BrokenTrustRoots)) throw error
    throw serveProblem('serve.bad-trust-roots', { detail: `${error.message}.`, cause: error })
  }
}
