// Id of a deployment, which moves with its rows: a fact in a database, a file in a data folder.
import { randomUUID } from 'node:crypto'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { findFolderId, folderId } from './folder-id.js'

const fact = 'id of the deployment'
const file = 'deployment-id'

/** Where the rows of a deployment are: facts of a database, or path of a data folder. */
export type RowsPlace = DeploymentFacts | string

/** Returns the id, and makes one if there is none: `suggested`, or a random one. */
export async function deploymentId(rows: RowsPlace, suggested: string = randomUUID()): Promise<string> {
  return typeof rows === 'string' ? (await folderId(rows, file, suggested)).id : rows.recordOnce(fact, suggested)
}

export async function findDeploymentId(rows: RowsPlace): Promise<string | undefined> {
  return typeof rows === 'string' ? findFolderId(rows, file) : rows.get(fact)
}
