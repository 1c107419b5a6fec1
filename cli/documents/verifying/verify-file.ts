// Verifies the signatures of a local file, in this process.
import { BrokenTrustRoots, readTrustRoots } from '../../../workers/messages/trust-roots.js'
import { analyseChanges, undecidedAnalysis } from '../../../workers/signatures/analysis/analyse-changes.js'
import { AnalysisMemory } from '../../../workers/signatures/analysis/analysis-memory.js'
import { fileSnapshot } from '../../../workers/signatures/reading/file-snapshot.js'
import { noTrustRoots, type TrustRoots } from '../../../workers/signatures/trust/trust-roots.js'
import { verificationOf } from '../../../workers/signatures/trust/verification-of.js'
import { LockedFile } from '../../../workers/strict-reader/encryption/security.js'
import { hasHeader, openStrict, type StrictOptions } from '../../../workers/strict-reader/open-strict.js'
import { NotStrict } from '../../../workers/strict-reader/strict-document.js'
import { documentsProblem } from '../problems.js'
import { type Permission, type Verified, verifySignatures } from './verified.js'

export interface FileQuestion {
  readonly path: string
  /** Path as given on the command line. */
  readonly name: string
  readonly password: string | undefined
  /** Folder of certificates. */
  readonly trustRoots: string | undefined
}

export async function verifyFile({ path, name, password, trustRoots }: FileQuestion): Promise<Verified> {
  const roots = rootsOf(trustRoots)
  demandHeader(path, name)
  const options: StrictOptions = password === undefined ? {} : { password: Buffer.from(password) }
  try {
    const snapshot = fileSnapshot(path, options, { verificationOf, roots, now: new Date() })
    return await verifySignatures(snapshot, permissionsIn(path, options))
  } catch (error) {
    throw explained(error, name, password)
  }
}

/** Refuses a file that is no PDF: it was named by mistake, and is not a damaged PDF. */
function demandHeader(path: string, name: string): void {
  try {
    if (hasHeader(path)) return
  } catch (error) {
    throw explained(error, name, undefined)
  }
  throw documentsProblem('documents.no-pdf', { detail: `${name} does not begin as a PDF.` })
}

/** Returns a function that analyses the changes since a signature. The file is opened once, and is closed with the process. */
function permissionsIn(path: string, options: StrictOptions): (signature: number) => Promise<Permission> {
  let memory: AnalysisMemory | undefined
  return async (signature) => {
    const since = { signature }
    try {
      memory ??= new AnalysisMemory(openStrict(path, options))
      return analyseChanges({ document: memory.document, since }, memory)
    } catch (error) {
      if (error instanceof LockedFile || !(error instanceof NotStrict)) throw error
      return undecidedAnalysis({ since }, 'unreadable-file', error.message)
    }
  }
}

function rootsOf(folder: string | undefined): TrustRoots {
  if (folder === undefined) return noTrustRoots
  try {
    return readTrustRoots(folder)
  } catch (error) {
    if (!(error instanceof BrokenTrustRoots)) throw error
    throw documentsProblem('documents.bad-trust-roots', { detail: `${error.message}.`, cause: error })
  }
}

function explained(error: unknown, name: string, password: string | undefined): unknown {
  if (error instanceof LockedFile)
    return documentsProblem('documents.locked-file', {
      detail: `${name} needs ${password === undefined ? 'a password' : 'another password than the one given'}.`,
      cause: error,
    })
  const isAboutFile = error instanceof Error && 'syscall' in error
  if (!isAboutFile) return error
  return documentsProblem('documents.no-file', { detail: `${name} cannot be read: ${error.message}.`, cause: error })
}
