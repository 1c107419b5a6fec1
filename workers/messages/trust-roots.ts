// The certificates that an operator trusts, as files of one folder, and the algorithms, as `policy.json` in it. The server reads them once, to refuse broken files
// when it starts; a thread reads them again when it first needs them, because a task carries no bytes.
import { createHash, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Check } from 'typebox/value'
import { explainSchemaError } from '../contract/schema-error.js'
import {
  type AlgorithmPolicy,
  AlgorithmPolicyFile,
  defaultAlgorithmPolicy,
} from '../contract/signatures/algorithm-policy.js'

/** Folder of trusted roots, as a member of a task. */
export interface TrustRootsFolder {
  readonly path: string
  /** SHA-256 of all certificates in the folder and of its policy, in lower-case hex, which identifies the content in cache keys. */
  readonly sha256: string
}

export interface ReadRoots {
  /** Certificates in DER, each once, in an order that depends on the certificates alone. */
  readonly certificates: readonly Uint8Array[]
  readonly policy: AlgorithmPolicy
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
  const files = filesIn(folder)
  const policyPath = files.find((path) => basename(path) === policyName)
  const policy = policyPath === undefined ? defaultAlgorithmPolicy : policyIn(policyPath)
  for (const path of files) {
    if (path === policyPath) continue
    for (const der of certificatesIn(path)) certificates.set(createHash('sha256').update(der).digest('hex'), der)
  }
  if (certificates.size === 0) throw new BrokenTrustRoots(folder, 'there is no certificate in it')
  const ordered = [...certificates].sort(([one], [other]) => (one < other ? -1 : 1))
  const sha256 = createHash('sha256')
  for (const [digest] of ordered) sha256.update(digest)
  if (policyPath !== undefined) sha256.update(JSON.stringify(policy))
  return { certificates: ordered.map(([, der]) => der), policy, sha256: sha256.digest('hex') }
}

const policyName = 'policy.json'

function policyIn(path: string): AlgorithmPolicy {
  const text = attempted(path, () => readFileSync(path, 'utf8'))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const offset = Number(/position (\d+)/.exec(String(error))?.[1] ?? text.length)
    throw new BrokenTrustRoots(path, `it is no JSON from ${placeOf(text, offset)} on`, { cause: error })
  }
  if (Check(AlgorithmPolicyFile, value)) return { ...defaultAlgorithmPolicy, ...value }
  const { pointer, message } = explainSchemaError(AlgorithmPolicyFile, value)
  const [, member = ''] = pointer.split('/')
  // The file has one level, so that the first text of this name is the key.
  const offset = member === '' ? 0 : Math.max(0, text.indexOf(JSON.stringify(member)))
  throw new BrokenTrustRoots(path, `${placeOf(text, offset)}: ${pointer === '' ? 'the policy' : pointer} ${message}`)
}

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
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
