// Folders for content of providers: those that declarations name, and new ones beside agents.yaml, for which only free
// paths are chosen.
import { basename, join } from 'node:path'
import { contentOf } from '../declaration/content.js'
import { readLocalSource } from '../declaration/local-sources.js'
import type { Download, DownloadedFile } from '../plan/downloaded.js'
import type { LocalSource, Project } from '../plugin/declaration.js'
import type { Disk } from '../ports/disk.js'
import { slug } from './names.js'
import type { Replacement } from './project-file.js'

export type FolderContent = Extract<Download, { readonly type: 'content' }>

export interface SourceFolder {
  /** Path as agents.yaml writes it. */
  readonly written: string
  /** Absolute path. */
  readonly path: string
  /** All files of the folder, whether or not they exist already. */
  readonly files: readonly DownloadedFile[]
  /** Changes of files. Removals come first, so that a folder can replace a file. */
  readonly replacements: readonly Replacement[]
}

interface PresentFile {
  /** Undefined for an entry that is not a readable folder. */
  readonly source: LocalSource | undefined
}

interface Claim {
  readonly name: string
  readonly sha256: string
  readonly folder: SourceFolder
}

export class SourceFolders {
  private readonly claims = new Map<string, Claim>()

  private constructor(
    private readonly project: Pick<Project, 'file' | 'folder' | 'declarations'>,
    /** Existing entries by path, in the form that `keyOf` returns. */
    private readonly standing: ReadonlyMap<string, PresentFile>,
  ) {}

  /** Reads the content of these folders (`skills`) of the project. */
  static async open(
    disk: Disk,
    project: Pick<Project, 'file' | 'folder' | 'declarations'>,
    sections: Iterable<string>,
  ): Promise<SourceFolders> {
    const standing = new Map<string, PresentFile>()
    for (const section of new Set(sections)) {
      const path = join(project.folder, section)
      const status = await disk.status(path)
      if (status === null) continue
      // An entry that is not a folder blocks all names below it.
      if (status.kind !== 'folder') standing.set(keyOf(path), { source: undefined })
      for (const name of status.kind === 'folder' ? await disk.list(path) : []) {
        const read = await readLocalSource(disk, project, { written: `./${section}/${name}`, kind: 'folder' })
        standing.set(keyOf(join(path, name)), { source: read.type === 'read' ? read.source : undefined })
      }
    }
    return new SourceFolders(project, standing)
  }

  /** Returns the folder for the content of an object, the same at every call. */
  folderFor(section: string, name: string, content: FolderContent): SourceFolder {
    for (let count = 1; ; count++) {
      const written = `./${section}/${slug(name)}${count === 1 ? '' : `-${count}`}`
      const path = join(this.project.folder, written)
      const claim = this.claims.get(keyOf(path))
      if (claim?.name === name && claim.sha256 === content.sha256) return claim.folder
      if (claim || !this.isFree(path, content)) continue
      const current = this.standing.get(keyOf(path))?.source
      const folder = { written, path, files: content.files, replacements: missing(path, current, content.files) }
      this.claims.set(keyOf(path), { name, sha256: content.sha256, folder })
      return folder
    }
  }

  /** True if nothing exists at the path, or only content that an interrupted run wrote for the same object. */
  private isFree(path: string, { files }: FolderContent): boolean {
    if (
      this.project.declarations.some(({ sources }) =>
        [...sources.values()].some((one) => keyOf(one.path) === keyOf(path)),
      )
    )
      return false
    const found = this.standing.get(keyOf(path))
    if (!found) return true
    const wanted = new Map(files.map((file) => [file.path, file.sha256]))
    return found.source?.files.every((file) => wanted.get(file.path) === file.sha256) ?? false
  }
}

/** Writes that make the folder contain exactly this content. */
export async function refilled(disk: Disk, source: LocalSource, { files }: FolderContent): Promise<SourceFolder> {
  const { files: current } = await contentOf(disk, source)
  const aside = await disk.realPath(source.path)
  const wanted = new Map(files.map((file) => [file.path, file]))
  const before = new Map(current.map((file) => [file.path, file.bytes]))
  const removed = current.filter(({ path }) => !wanted.has(path))
  const known = new Map(source.files.map(({ path, sha256 }) => [path, sha256]))
  const written = files.filter((file) => known.get(file.path) !== file.sha256)
  const replacement = (path: string, after: Uint8Array | undefined): Replacement => {
    return { path: join(source.path, path), before: before.get(path), after, aside }
  }
  return {
    written: source.written,
    path: source.path,
    files,
    replacements: [
      ...removed.map(({ path }) => replacement(path, undefined)),
      ...written.map(({ path, bytes }) => replacement(path, bytes)),
    ],
  }
}

function missing(
  path: string,
  current: LocalSource | undefined,
  files: readonly DownloadedFile[],
): readonly Replacement[] {
  const there = new Set(current?.files.map((file) => file.path))
  return files
    .filter((file) => !there.has(file.path))
    .map(({ path: inner, bytes }) => ({ path: join(path, inner), before: undefined, after: bytes, aside: path }))
}

/** Returns the key under which names collide: some disks ignore case. */
function keyOf(path: string): string {
  return join(path, '..', basename(path).normalize('NFC').toLowerCase())
}
