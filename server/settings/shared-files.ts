// Processes that share a store must have the same files: each would store some that the others do not find. The store
// records where they are: in a storage, or in the data folder with an id.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.js'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { parseAddress } from '../storage/s3/address.js'
import { findFolderId, folderId, replaceFolderId } from './folder-id.js'
import { serveProblem } from './problems.js'

export interface SharedFilesOptions {
  /** Undefined for a store of one process. */
  readonly facts: DeploymentFacts | undefined
  readonly dataFolder: string
  /** Address of the storage; undefined = the data folder. */
  readonly blobs: string | undefined
  /** True records this place instead of the earlier one, to which the files were moved. */
  readonly acceptMovedFiles: boolean
  /** True if the place has files that the rows do not name. */
  readonly hasForeign: () => Promise<boolean>
}

const fact = 'place of the files'
/** Id that the processes of a database give to a folder whose files they take over. */
const nextIdFact = 'next id of the folder of the files'
/** Name of the fact that the id was made by a process of the database, for a folder that had none. */
const newIdFact = (id: string): string => `new id of the folder of the files ${id}`
/** Place of the files of the database whose rows were copied to this one. */
const earlierFact = 'place of the files before the copy'
/** Name of the file in a data folder with the id by which databases know the files in it. */
const filesId = 'files-id'

/** Tells whether the files still belong to the deployment, which another one may have taken over. */
export type OwnsFiles = () => Promise<boolean>

/**
 * Refuses another storage than the recorded one, and records nothing: a start that is refused later leaves the database
 * to the next one. Throws `serve.other-files`.
 */
export async function refuseOtherPlace({
  facts,
  blobs,
  acceptMovedFiles,
}: Pick<SharedFilesOptions, 'facts' | 'blobs' | 'acceptMovedFiles'>): Promise<void> {
  if (facts === undefined || blobs === undefined || acceptMovedFiles) return
  const place = storageAt(blobs)
  const recorded = await facts.get(fact)
  if (recorded !== undefined && recorded !== place) throw otherFiles(place, recorded)
}

/** Throws `serve.other-files`. A storage is claimed before. */
export async function agreeOnFiles(options: SharedFilesOptions): Promise<OwnsFiles> {
  const { facts, dataFolder, blobs, acceptMovedFiles } = options
  const findPlace = async () => placeOf(await findFolderId(dataFolder, filesId))
  if (facts === undefined) {
    await agreeInFolder(options)
    return async () => blobs !== undefined || (await findPlace()) === placeOf(undefined)
  }
  if (blobs === undefined) {
    await agreeOnFolder(facts, options)
    return twice(async () => (await facts.get(fact)) === (await findPlace()))
  }
  const place = storageAt(blobs)
  if (acceptMovedFiles) await facts.set(fact, place)
  const recorded = await facts.recordOnce(fact, place)
  if (recorded !== place) throw otherFiles(place, recorded)
  return async () => (await facts.get(fact)) === place
}

/** A process that takes the files over changes one place after the other. */
const twice = (owns: OwnsFiles) => async () => {
  if (await owns()) return true
  await setTimeout(limits.claimSettledMs)
  return owns()
}

/**
 * Refuses a folder whose files a database took over, before anything in it is changed. Throws `serve.other-files`.
 */
export async function refuseFolderOfDatabase({
  dataFolder,
  blobs,
  acceptMovedFiles,
}: Pick<SharedFilesOptions, 'dataFolder' | 'blobs' | 'acceptMovedFiles'>): Promise<void> {
  if (acceptMovedFiles || blobs !== undefined || (await findFolderId(dataFolder, filesId)) === undefined) return
  throw serveProblem('serve.other-files', {
    detail: `${dataFolder} has the files of a database, and --store names none.`,
  })
}

async function agreeOnFolder(
  facts: DeploymentFacts,
  { dataFolder, acceptMovedFiles, hasForeign }: SharedFilesOptions,
): Promise<void> {
  if (acceptMovedFiles) return takeFolder(facts, dataFolder)
  // The folder gets no id before it is clear that its files are not expected elsewhere.
  const recorded = await facts.get(fact)
  const found = await findFolderId(dataFolder, filesId)
  // A takeover was interrupted here.
  if (found !== undefined && (await facts.get(nextIdFact)) === found) return takeFolder(facts, dataFolder)
  if (recorded !== undefined && recorded !== placeOf(found)) throw otherFiles(dataFolder, recorded)
  if (recorded !== undefined) return
  if (found !== undefined && (await facts.get(earlierFact)) === placeOf(found)) return takeFolder(facts, dataFolder)
  // Files without an id are those of an embedded store, or restored ones: the database must know them.
  if (found === undefined && (await hasForeign())) {
    throw serveProblem('serve.other-files', {
      detail: `${dataFolder} has files that no record of the database names.`,
    })
  }
  const id = found ?? (await makeFolderId(facts, dataFolder))
  // Whoever made the id may have been interrupted here. The files of a folder with any other id belong to another database,
  // which would remove those of this one.
  const isOfDatabase = (await facts.get(newIdFact(id))) !== undefined
  const agreed = isOfDatabase ? await facts.recordOnce(fact, placeOf(id)) : await facts.get(fact)
  await facts.remove(newIdFact(id))
  if (agreed !== placeOf(id)) throw otherFiles(dataFolder, agreed)
}

/** Returns the id of a folder that had none. The database knows those that its processes make before the folder has one. */
async function makeFolderId(facts: DeploymentFacts, dataFolder: string): Promise<string> {
  const own = randomUUID()
  await facts.set(newIdFact(own), 'made')
  const id = await folderId(dataFolder, filesId, own)
  if (id !== own) await facts.remove(newIdFact(own)) // Another process was first.
  return id
}

/** The folder gets another id, so that a database that had its files does not start on it any more. */
async function takeFolder(facts: DeploymentFacts, dataFolder: string): Promise<void> {
  // Processes of one database that start at once agree on the id; another database has another one.
  const id = await facts.recordOnce(nextIdFact, randomUUID())
  await replaceFolderId(dataFolder, filesId, id)
  await facts.set(fact, placeOf(id))
  await setTimeout(limits.claimSettledMs)
  if ((await findFolderId(dataFolder, filesId)) !== id && (await facts.get(nextIdFact)) === id) {
    await facts.remove(nextIdFact)
    throw otherFiles(dataFolder, undefined)
  }
  await facts.remove(nextIdFact)
  await facts.remove(earlierFact)
}

/** An embedded store has no rows of files that a database took over. */
async function agreeInFolder({
  dataFolder,
  blobs,
  acceptMovedFiles,
}: Pick<SharedFilesOptions, 'dataFolder' | 'blobs' | 'acceptMovedFiles'>): Promise<void> {
  await refuseFolderOfDatabase({ dataFolder, blobs, acceptMovedFiles })
  // Processes that start at once may all do so.
  if (acceptMovedFiles && blobs === undefined) await rm(join(dataFolder, filesId), { force: true })
}

/**
 * Lets the target of a copy have the files of its source, a database: an embedded store at once, another database when it is
 * served.
 */
export async function takeFilesOver(target: DeploymentFacts | string, source: DeploymentFacts): Promise<void> {
  const place = await source.get(fact)
  if (typeof target !== 'string') {
    await forgetPlace(target)
    await target.remove(earlierFact)
    if (place?.startsWith(placeOf(''))) await target.set(earlierFact, place)
  } else if (place === placeOf(await findFolderId(target, filesId))) await rm(join(target, filesId))
}

/** The next server of the database, which has no files yet or files in a new place, records where they are. */
export const forgetPlace = (facts: DeploymentFacts): Promise<void> => facts.remove(fact)

const placeOf = (id: string | undefined): string => `data folder ${id ?? 'without an id'}`

function storageAt(address: string): string {
  const { bucket, prefix } = parseAddress(address)
  return `s3://${bucket}/${prefix}`
}

function otherFiles(here: string, recorded: string | undefined) {
  const there = recorded?.replace(/^data folder .*/, 'another data folder')
  return serveProblem('serve.other-files', {
    detail: there
      ? `The files of this process are in ${here}, those of the database in ${there}.`
      : `${here} has the files of another database.`,
  })
}
