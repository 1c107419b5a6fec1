// A process agrees with the others of its deployment on secrets, files and Redis when it starts, and watches files and Redis
// while it runs.
import type { Logger } from 'pino'
import { Problem } from '../../core/diagnostic.js'
import { claimStorage, hasForeign, type OwnsStorage, watchClaim, withdrawClaim } from '../settings/claimed-storage.js'
import type { Config } from '../settings/config.js'
import { refuseMissingFiles } from '../settings/missing-files.js'
import type { Secrets } from '../settings/secrets.js'
import { agreeOnFiles, refuseOtherPlace } from '../settings/shared-files.js'
import { joinProcesses } from '../settings/shared-redis.js'
import { agreeOnSecrets, refuseOtherSecrets, type SharedSecret } from '../settings/shared-secrets.js'
import type { Storage } from '../storage/open-storage.js'
import { refuseUnfinished } from '../storage/unfinished.js'

export interface JoinOptions {
  readonly config: Pick<Config, 'blobs'>
  /** Absolute path. */
  readonly dataFolder: string
  readonly secrets: Secrets
  readonly log: Logger
  /** True replaces the secrets that processes on the same store were first started with. */
  readonly acceptNewSecrets: boolean
  /** True records the place of the files anew, after they were moved. */
  readonly acceptMovedFiles: boolean
}

export interface JoinedDeployment {
  readonly ownsStorage: OwnsStorage
  /** Resolves when this process must end, because the others go on without it; otherwise never. */
  readonly excluded: Promise<Error>
  leave(): Promise<void>
}

/** Throws `serve.other-secrets`, `serve.other-files` or `serve.other-redis`. */
export async function joinDeployment(storage: Storage, options: JoinOptions): Promise<JoinedDeployment> {
  const { config, dataFolder, secrets, log, acceptNewSecrets, acceptMovedFiles } = options
  const { facts, processes, redis, tables, blobs } = storage
  let onExcluded: (error: Error) => void = () => {}
  const excluded = new Promise<Error>((resolve) => {
    onExcluded = resolve
  })
  // This comes first: a process that may not join must not change what the others agreed on.
  const leave = processes ? await joinProcesses({ records: processes, redis, onConflict: onExcluded }) : async () => {}
  try {
    // A copy or restore that marked the database before it saw this process goes on without it.
    if (facts) await refuseUnfinished(facts)
    // Everything that may refuse this process comes before it records anything: the next start may have other settings.
    await refuseOtherSecrets(secrets, { facts, dataFolder, acceptNewSecrets })
    if (!acceptMovedFiles) await refuseMissingFiles(blobs, tables)
    await refuseOtherPlace({ facts, blobs: config.blobs, acceptMovedFiles })
    const rows = facts ?? dataFolder
    const isClaimed = await claimStorage({ rows, tables, blobs, acceptMovedFiles })
    const ownsFiles = await agreeOnFiles({
      facts,
      dataFolder,
      blobs: config.blobs,
      acceptMovedFiles,
      hasForeign: () => hasForeign(blobs, tables),
    }).catch(async (error: unknown) => {
      // Another process was first, with another place.
      if (error instanceof Problem) await withdrawClaim({ rows, blobs })
      throw error
    })
    const onReplaced = (name: SharedSecret) => log.warn({ secret: name }, replacedSecret[name])
    await agreeOnSecrets(secrets, { facts, dataFolder, acceptNewSecrets, onReplaced })
    const ownsStorage = async () => (await ownsFiles()) && (await isClaimed())
    const endWatch = watchClaim(ownsStorage, onExcluded)
    return {
      ownsStorage,
      excluded,
      async leave() {
        endWatch()
        await leave()
      },
    }
  } catch (error) {
    await leave()
    throw error
  }
}

const replacedSecret: Readonly<Record<SharedSecret, string>> = {
  'signing secret': 'the signing secret was replaced: earlier tokens are refused',
  'sealing key':
    'the sealing key was replaced: changes of encrypted documents that the earlier key sealed cannot be read any more, unless that key comes back',
}
