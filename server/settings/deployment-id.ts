// Id of a deployment, which is stored with its rows: a fact in a database, a file in a data folder. Rows that were copied get an
// id of their own, and take the files of the id before over.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { findFolderId, folderId } from './folder-id.js'

/** Where the rows of a deployment are: facts of a database, or path of a data folder. */
export type RowsPlace = DeploymentFacts | string

interface IdName {
  readonly fact: string
  readonly file: string
}

const own: IdName = { fact: 'id of the deployment', file: 'deployment-id' }
const earlier: IdName = { fact: 'id of the deployment it was copied from', file: 'deployment-id-before-copy' }

/** Returns the id, and makes one if there is none. */
export const deploymentId = (rows: RowsPlace): Promise<string> => recordOnce(rows, own, randomUUID())

/** Returns the id of the deployment whose rows were copied to these, if any. */
export const findEarlierId = (rows: RowsPlace): Promise<string | undefined> => find(rows, earlier)

/** Records that the rows are a copy, which take the files over. A source that was never served has no files of its own. */
export async function recordCopy(source: RowsPlace, target: RowsPlace): Promise<void> {
  const id = (await find(source, own)) ?? (await find(source, earlier))
  await remove(target, earlier) // An interrupted copy may have been one of other rows.
  if (id !== undefined) await recordOnce(target, earlier, id)
}

/** A copy takes the files over once: whoever takes them back keeps them. */
export const forgetEarlierId = (rows: RowsPlace): Promise<void> => remove(rows, earlier)

async function recordOnce(rows: RowsPlace, { fact, file }: IdName, id: string): Promise<string> {
  return typeof rows === 'string' ? folderId(rows, file, id) : rows.recordOnce(fact, id)
}

async function remove(rows: RowsPlace, { fact, file }: IdName): Promise<void> {
  return typeof rows === 'string' ? rm(join(rows, file), { force: true }) : rows.remove(fact)
}

async function find(rows: RowsPlace, { fact, file }: IdName): Promise<string | undefined> {
  return typeof rows === 'string' ? findFolderId(rows, file) : rows.get(fact)
}
