// The certificates that an operator trusts, as files of one folder. The server reads them once, to refuse broken files
// when it starts; a thread reads them again when it first needs them, because a task carries no bytes.
import { createHash, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Folder of trusted roots, as a member of a task. */
export interface TrustRootsFolder {
  readonly path: string
  /** SHA-256 of all certificates in the folder, in lower-case hex, which identifies the content in cache keys. */
  readonly sha256: string
}

export interface ReadRoots {
  /** Certificates in DER, each once, in an order that depends on the certificates alone. */
  readonly certificates: readonly Uint8Array[]
  readonly sha256: string
}

/** The folder, or a file in it, cannot be read as certificates. */
export class BrokenTrustRoots extends Error {
  constructor(
    /** Path of the folder or of the file. */
    readonly path: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`${path}: ${reason}`, options)
    this.name = 'BrokenTrustRoots'
  }
}

const fileBytesMax = 16 * 1024 * 1024
const pemCertificate =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g

/** Reads every file of the folder except hidden ones and folders in it. Throws `BrokenTrustRoots`. */
export function readTrustRoots(folder: string): ReadRoots {
  const certificates = new Map<string, Uint8Array>()
  for (const path of filesIn(folder)) {
    for (const der of certificatesIn(path)) certificates.set(createHash('sha256').update(der).digest('hex'), der)
  }
  if (certificates.size === 0) throw new BrokenTrustRoots(folder, 'there is no certificate in it')
  const ordered = [...certificates].sort(([one], [other]) => (one < other ? -1 : 1))
  const sha256 = createHash('sha256')
  for (const [digest] of ordered) sha256.update(digest)
  return { certificates: ordered.map(([, der]) => der), sha256: sha256.digest('hex') }
}

function filesIn(folder: string): readonly string[] {
  return attempted(folder, () =>
    readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile()),
  )
}

function certificatesIn(path: string): readonly Uint8Array[] {
  return attempted(path, () => {
    if (statSync(path).size > fileBytesMax) throw new Error('the file is too large')
    const bytes = readFileSync(path)
    const text = bytes.toString('latin1')
    if (!text.includes('-----BEGIN ')) return [certificateIn(bytes, 'it is no certificate, neither PEM nor DER')]
    const blocks = text.match(pemCertificate) ?? []
    if (blocks.length === 0) throw new Error('there is no certificate in it')
    return blocks.map((block) => certificateIn(block, 'a certificate in it cannot be read'))
  })
}

/** The library's message names neither the file nor its format. */
function certificateIn(encoding: Buffer | string, problem: string): Uint8Array {
  try {
    return new X509Certificate(encoding).raw
  } catch (error) {
    throw new Error(problem, { cause: error })
  }
}

const shownReasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is no folder',
  EACCES: 'it may not be read',
}

function attempted<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = shownReasons[code] ?? (error instanceof Error ? error.message : String(error))
    throw new BrokenTrustRoots(path, reason, { cause: error })
  }
}
