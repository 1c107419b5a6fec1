// Reads the signature snapshot of a file, whether or not the file can be read strictly.
import { statSync } from 'node:fs'
import type { SignatureSnapshot } from '../../contract/signatures/signature-snapshot.js'
import { LockedFile } from '../../strict-reader/encryption/security.js'
import { openStrict, type StrictOptions } from '../../strict-reader/open-strict.js'
import { NotStrict } from '../../strict-reader/strict-document.js'
import { byteRangeOffset } from './byte-range-offset.js'
import { protectionOfRefused } from './protection.js'
import { signatureSnapshot, type VerificationSetup } from './snapshot.js'

/**
 * Returns the snapshot. A file that is not strict has a single revision and no signatures, and may not be changed if
 * `/ByteRange` is anywhere in its bytes, but for usage rights. Otherwise, damage would make a certified file editable; files
 * that merely contain a copy of a signature are refused too. Throws `LockedFile` if the password does not open the file.
 */
export function fileSnapshot(path: string, options: StrictOptions = {}, setup?: VerificationSetup): SignatureSnapshot {
  try {
    const document = openStrict(path, options)
    try {
      return signatureSnapshot(document, setup)
    } finally {
      document.close()
    }
  } catch (error) {
    if (error instanceof LockedFile || !(error instanceof NotStrict)) throw error
    const { message: reason, offset = null } = error
    return { ...refusedSnapshot(path, options.section), chainProblem: { reason, offset } }
  }
}

function refusedSnapshot(path: string, section?: Uint8Array): Omit<SignatureSnapshot, 'chainProblem'> {
  const end = statSync(path).size + (section?.length ?? 0)
  return {
    chainValid: false,
    revisions: [{ index: 0, end, xrefOffset: 0, signatureIndex: null }],
    signatures: [],
    protection: protectionOfRefused(byteRangeOffset(path, section)),
  }
}
