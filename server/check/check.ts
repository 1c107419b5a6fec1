// `agents serve --check`: reads all data of a stopped server and reports damage, and secrets that are not those of the data. It repairs nothing; damaged data is
// restored from a backup by the operator.

import type { SecretsAtHand } from '../settings/secrets.js'
import { DataFolderUnfit, dataFolderAt, inspectDataFolder } from '../storage/data-folder.js'
import { openStore } from '../storage/open-store.js'
import { PendingDeletions } from '../storage/pending-deletions.js'
import type { Store } from '../storage/store.js'
import { checkBlobs } from './blobs.js'
import { type Finding, isError } from './findings.js'
import { checkRows } from './rows.js'
import { checkSecrets, type KnownSecrets } from './secrets.js'

export interface CheckOptions {
  /** Path of the data folder. */
  readonly folder: string
  /** Address of the store; undefined = the one in the folder. */
  readonly storeAddress?: string | undefined
  /** Secrets that a start would use; default none. */
  readonly secrets?: SecretsAtHand
  /** SHA-256 of a file, in lower-case hex. */
  readonly digest: (path: string) => Promise<string>
  /** Called for each finding as it is made. */
  readonly report: (finding: Finding) => void
}

export interface CheckSummary {
  readonly rows: number
  readonly blobs: number
  readonly blobBytes: number
  /** Number of errors. */
  readonly findings: number
  /** Number of findings that need no action. */
  readonly warnings: number
}

/** Checks a data folder. Throws `FolderInUse` if a server uses it, and `DataFolderUnfit` if it never contained data. */
export async function checkStorage({ folder, storeAddress, secrets, ...checked }: CheckOptions): Promise<CheckSummary> {
  const data = dataFolderAt(folder)
  if ((await inspectDataFolder(data)) === 'empty') {
    throw new DataFolderUnfit(`${folder} is not the data folder of a document server. Name it with --data.`)
  }
  const { store, facts } = await openStore({ folder: data, address: storeAddress, createIfMissing: false })
  const known = secrets && { folder, facts, secrets }
  try {
    return await checkContents({ store, blobFolder: data.blobs, known, ...checked })
  } finally {
    await store.close()
  }
}

export interface CheckTarget extends Omit<CheckOptions, 'folder' | 'storeAddress' | 'secrets'> {
  readonly store: Store
  readonly blobFolder: string
  /** Secrets to compare with those of the data; a restore has none. */
  readonly known?: KnownSecrets | undefined
}

/** Checks stored data; a restore ends with this check. */
export async function checkContents(checked: CheckTarget): Promise<CheckSummary> {
  let [findings, warnings] = [0, 0]
  const report = (finding: Finding) => {
    if (isError(finding)) findings += 1
    else warnings += 1
    checked.report(finding)
  }
  const pending = await PendingDeletions.in(checked.store)
  const rows = await checkRows({ store: checked.store, pending, report })
  const { blobs, blobBytes } = await checkBlobs({ ...checked, pending, report })
  if (checked.known) await checkSecrets({ ...checked.known, store: checked.store, report })
  return { rows, blobs, blobBytes, findings, warnings }
}
