// Converts errors of backups and restores into problems with a fix.
import { BackupUnfit } from '../../server/backup/manifest.js'
import { RestoreRefused } from '../../server/backup/restore-target.js'
import { openingProblem } from '../../server/lifecycle/opening-problem.js'
import { documentsProblem } from './problems.js'

export async function explainBackupErrors<Value>(folder: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BackupUnfit) {
      throw documentsProblem('documents.backup-unfit', { detail: error.message, cause: error })
    }
    if (error instanceof RestoreRefused) {
      throw documentsProblem('documents.restore-refused', { detail: error.message, cause: error })
    }
    throw openingProblem(folder, error) ?? error
  }
}
