// Writes the files of a new project. Existing files are not overwritten.

import { basename, dirname, join, resolve } from 'node:path'
import { decode } from '../../core/declaration/source.js'
import type { Diagnostic } from '../../core/diagnostic.js'
import { nodeDisk } from '../../core/ports/node-disk.js'
import { diagnostic, problem } from '../line/problems.js'
import { editorSchema } from './editor-schema.js'
import type { EngineCommand } from './engine-command.js'
import {
  extendedGitignore,
  ignoredNames,
  type Starter,
  type StarterNames,
  schemaFile,
  starterEnv,
  starterYaml,
} from './starter.js'

export interface StarterRequest {
  readonly starter: Starter
  readonly names: StarterNames
}

export interface FileReport {
  readonly name: string
  readonly action: 'wrote' | 'kept' | 'extended'
}

const readableMode = 0o644
const secretMode = 0o600
const othersMode = 0o077
const permissionBits = 0o777
const secretFile = '.env'
const ignoredFile = '.gitignore'

/**
 * Writes what is missing beside a project file that exists: its schema, and what keeps state and secrets out of git.
 * Returns undefined if there is no project file, and throws if nothing is missing.
 */
export async function completeExisting(command: EngineCommand): Promise<readonly FileReport[] | undefined> {
  const path = projectPath(command)
  if ((await nodeDisk.status(path)) === null) return undefined
  const folder = dirname(path)
  const reports: readonly FileReport[] = [
    { name: basename(path), action: 'kept' },
    await writeSchema(folder),
    await extendIgnored(folder, basename(path)),
  ]
  if (reports.every(({ action }) => action === 'kept'))
    throw problem('init.exists', { detail: `${path} is there with what belongs to it, and init overwrites nothing.` })
  return reports
}

const writeSchema = async (folder: string): Promise<FileReport> =>
  writeNew(folder, schemaFile, `${JSON.stringify(await editorSchema(), null, 2)}\n`, readableMode)

async function writeNew(folder: string, name: string, text: string, mode: number): Promise<FileReport> {
  const isNew = await nodeDisk.create(join(folder, name), new TextEncoder().encode(text), { mode })
  return { name, action: isNew ? 'wrote' : 'kept' }
}

export async function createProject(
  command: EngineCommand,
  { starter, names }: StarterRequest,
): Promise<readonly FileReport[]> {
  const path = projectPath(command)
  const folder = dirname(path)
  await nodeDisk.createFolder(folder)
  return [
    await writeNew(folder, basename(path), starterYaml(starter, names), readableMode),
    await writeSchema(folder),
    await writeNew(folder, secretFile, starterEnv(starter), secretMode),
    await extendIgnored(folder, basename(path)),
  ]
}

/** Warns of a .gitignore that git cannot read either: it is UTF-8 text, and PowerShell writes UTF-16. */
export async function warnOfUnreadableIgnored(command: EngineCommand): Promise<readonly Diagnostic[]> {
  const path = projectPath(command)
  if ((await ignoredText(dirname(path))) !== undefined) return []
  const names = ignoredNames(basename(path)).join(' and ')
  return [
    diagnostic('init.gitignore-kept', { detail: `${ignoredFile} is not UTF-8 text, so ${names} are not added to it.` }),
  ]
}

/** Warns if other users can read an existing .env. Its permissions are not changed. */
export async function warnOfReadable(command: EngineCommand): Promise<readonly Diagnostic[]> {
  const status = await nodeDisk.status(join(dirname(projectPath(command)), secretFile))
  const isShared = process.platform !== 'win32' && ((status?.mode ?? 0) & othersMode) !== 0
  if (!isShared) return []
  const permissions = ((status?.mode ?? 0) & permissionBits).toString(8).padStart(4, '0')
  return [
    diagnostic('init.env-readable', {
      detail: `${secretFile} was there already, and its permissions are ${permissions}.`,
    }),
  ]
}

async function extendIgnored(folder: string, fileName: string): Promise<FileReport> {
  const name = ignoredFile
  const path = join(folder, name)
  const exists = (await nodeDisk.status(path)) !== null
  const text = await ignoredText(folder)
  const extended = text === undefined ? undefined : extendedGitignore(text, fileName)
  if (extended === undefined) return { name, action: 'kept' }
  await nodeDisk.write(path, new TextEncoder().encode(extended), { mode: readableMode })
  return { name, action: exists ? 'extended' : 'wrote' }
}

/** Returns the text of .gitignore, empty if there is none; undefined for what is no UTF-8 text. */
async function ignoredText(folder: string): Promise<string | undefined> {
  const path = join(folder, ignoredFile)
  if ((await nodeDisk.status(path)) === null) return ''
  const bytes = await nodeDisk.read(path)
  return bytes.includes(0) ? undefined : decode(bytes)
}

export function projectPath({ context, config }: EngineCommand): string {
  return resolve(context.workingFolder, config)
}
