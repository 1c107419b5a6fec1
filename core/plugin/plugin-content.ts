// The files that run when a plugin is loaded, with one hash over all of them: what a person allows. Of the modules of a project
// it follows imports; of packages it takes every file, and the packages that they name.
import { createHash } from 'node:crypto'
import { isBuiltin } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { type Disk, type FileStatus, hasCode } from '../ports/disk.js'
import { pathsOf, type References, referencesIn } from './imports.js'
import { dependenciesIn, manifestFrom, nameIn, type TargetMember, targetsIn } from './manifest.js'

export interface PluginContent {
  /** Real paths, sorted. */
  readonly files: readonly ContentFile[]
  /** SHA-256 over paths and contents, lower-case hex. Paths count from the folder of agents.yaml. */
  readonly sha256: string
}

export interface ContentFile {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

export interface ContentRequest {
  readonly disk: Disk
  /** File that is loaded first. */
  readonly entry: string
  /** Name of the package if agents.yaml names one. */
  readonly packageName: string | undefined
  /** Folder of agents.yaml. */
  readonly folder: string
  /** Folder of the running program, which is not part of any plugin that imports it. */
  readonly program: string
}

export const contentLimits = { filesMax: 20_000, bytesMax: 256 * 1024 * 1024 } as const

/** The plugin has more files than can be checked before every command. */
export class ContentTooLarge extends Error {
  override readonly name = 'ContentTooLarge'
}

const codeExtensions: ReadonlySet<string> = new Set([
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.json',
  '.node',
  '.wasm',
])
const manifestName = 'package.json'
/** Folders of which only what is named is taken. */
const passedOver: readonly string[] = ['node_modules', '.git']
/** Endings that `require` adds to the name of a package, which may be a file; it prefers a file to a folder. */
const packageEndings = ['', '.js', '.json', '.node'] as const

export async function pluginContent(request: ContentRequest): Promise<PluginContent> {
  const files = await new ContentWalk(request).walk()
  const root = await request.disk.realPath(request.folder)
  const hash = createHash('sha256')
  for (const { path, sha256 } of files) hash.update(`${JSON.stringify(relativeTo(root, path))} ${sha256}\n`)
  return { files, sha256: hash.digest('hex') }
}

/** Spelt alike wherever the project is checked out, so that a hash can be pinned. */
const relativeTo = (root: string, path: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path

interface FolderEntry {
  readonly path: string
  readonly kind: 'file' | 'folder'
}

class ContentWalk {
  private readonly files = new Map<string, ContentFile>()
  /** Folders that were walked, by what was taken of them. */
  private readonly walked = { modules: new Set<string>(), packages: new Set<string>() }
  /** Members of package.json that were followed, and places where packages were looked for: true if one was there. */
  private readonly followed = new Set<string>()
  private readonly places = new Map<string, boolean>()
  private sizeBytes = 0

  constructor(private readonly request: ContentRequest) {}

  async walk(): Promise<readonly ContentFile[]> {
    const { disk, entry, packageName, folder } = this.request
    if (packageName !== undefined) await this.packageNamed(packageName, folder)
    await this.module(await disk.realPath(entry))
    return [...this.files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  /** Takes a module of the project, and what it imports. */
  private async module(path: string): Promise<void> {
    const source = await this.take(path)
    if (source === undefined) return
    const references = referencesIn(source)
    const { paths, packages, isComputed } = references
    await this.manifest(dirname(path), references)
    if (isComputed) await this.codeBelow(dirname(path))
    for (const specifier of paths) await this.paths(specifier, dirname(path))
    for (const name of packages) await this.packageNamed(name, dirname(path))
  }

  /** Takes what `require` and what `import`, which decodes addresses, make of a path. */
  private async paths(specifier: string, folder: string): Promise<void> {
    for (const path of new Set(pathsOf(specifier, folder))) await this.path(path)
  }

  private async path(path: string): Promise<void> {
    const { disk } = this.request
    // Node adds extensions for `require`.
    for (const candidate of [path, ...[...codeExtensions].map((extension) => `${path}${extension}`)]) {
      const status = await this.status(candidate)
      if (status?.kind === 'folder') {
        const folder = await disk.realPath(candidate)
        await this.follow(folder, 'main')
        await this.codeBelow(folder)
      }
      if (status?.kind === 'file') await this.module(await disk.realPath(candidate))
    }
  }

  /** Takes every module below a folder, without packages. */
  private async codeBelow(folder: string): Promise<void> {
    for (const { path, kind } of await this.entries(folder, this.walked.modules)) {
      if (kind === 'folder') await this.codeBelow(path)
      else if (codeExtensions.has(extname(path))) await this.module(path)
    }
  }

  /** Takes the package.json above a module, which decides how it is read; and what it says of names, if they are used. */
  private async manifest(folder: string, { isAliased, packages }: References): Promise<void> {
    const root = await this.rootOf(folder)
    if (root === undefined) return
    await this.take(join(root, manifestName))
    if (isAliased) await this.follow(root, 'imports')
    // A package may import from itself, by its own name.
    if (packages.length > 0 && packages.includes(nameIn(await this.manifestOf(root))))
      await this.follow(root, 'exports')
  }

  /** Takes what a member of the package.json of a folder names. */
  private async follow(folder: string, member: TargetMember): Promise<void> {
    const key = `${member} ${folder}`
    if (this.followed.has(key)) return
    this.followed.add(key)
    const { paths, packages } = targetsIn(await this.manifestOf(folder), member)
    for (const specifier of paths) await this.paths(specifier, folder)
    for (const name of packages) await this.packageNamed(name, folder)
  }

  private async manifestOf(folder: string): Promise<unknown> {
    const bytes = await this.found(this.request.disk.read(join(folder, manifestName)), undefined)
    return bytes && manifestFrom(bytes)
  }

  private async packageNamed(name: string, from: string): Promise<void> {
    if (isBuiltin(name)) return
    for (let folder = from; ; folder = dirname(folder)) {
      if ((await this.packageAt(join(folder, 'node_modules', name))) || folder === dirname(folder)) return
    }
  }

  /** Takes what lies in the place of a package. Returns false if `require` may pass over it. */
  private async packageAt(place: string): Promise<boolean> {
    const known = this.places.get(place)
    if (known !== undefined) return known
    const isPackage = (await this.status(join(place, manifestName)))?.kind === 'file'
    this.places.set(place, isPackage)
    const { disk } = this.request
    for (const ending of packageEndings) {
      const status = await this.status(`${place}${ending}`)
      if (status?.kind === 'file') await this.module(await disk.realPath(`${place}${ending}`))
      else if (status?.kind === 'folder' && ending === '') await this.package(await disk.realPath(place))
    }
    return isPackage
  }

  /** Takes every file of a package, and the packages that these files and its manifest name. */
  private async package(folder: string, root = folder): Promise<void> {
    if (folder === this.request.program) return
    await this.packageManifest(folder)
    for (const { path, kind } of await this.entries(folder, this.walked.packages)) {
      if (kind === 'folder') {
        await this.package(path, root)
        continue
      }
      const source = await this.take(path)
      if (source === undefined) continue
      const { paths, packages } = referencesIn(source)
      for (const name of packages) await this.packageNamed(name, folder)
      // Where a package is linked, it may import what is beside it; and by a path what is passed over in it.
      const imported = paths.flatMap((specifier) => pathsOf(specifier, dirname(path)))
      for (const target of imported) if (!isTakenWith(root, target)) await this.path(target)
    }
  }

  /** Takes what the package.json of a package names; that itself may have been taken before, as the one of a module. */
  private async packageManifest(folder: string): Promise<void> {
    const key = `package ${folder}`
    if (this.followed.has(key)) return
    this.followed.add(key)
    for (const member of ['imports', 'main'] as const) await this.follow(folder, member)
    for (const name of dependenciesIn(await this.manifestOf(folder))) await this.packageNamed(name, folder)
  }

  /** Real paths of what is in a folder; nothing if it was walked before, as links may lead back to it. */
  private async entries(folder: string, walked: Set<string>): Promise<readonly FolderEntry[]> {
    if (walked.has(folder)) return []
    walked.add(folder)
    const { disk } = this.request
    const found: FolderEntry[] = []
    for (const name of await this.found(disk.list(folder), [])) {
      if (passedOver.includes(name)) continue
      const status = await this.status(join(folder, name))
      if (status === null || status.kind === 'other') continue
      found.push({ path: await disk.realPath(join(folder, name)), kind: status.kind })
    }
    return found
  }

  /** Nearest folder with a package.json. */
  private async rootOf(folder: string): Promise<string | undefined> {
    for (let at = folder; ; at = dirname(at)) {
      if ((await this.status(join(at, manifestName)))?.kind === 'file') return at
      if (at === dirname(at)) return undefined
    }
  }

  private status(path: string): Promise<FileStatus | null> {
    return this.found(this.request.disk.status(path), null)
  }

  /** Returns `otherwise` for what this user cannot read: it cannot be loaded either. */
  private async found<Value, Otherwise>(reading: Promise<Value>, otherwise: Otherwise): Promise<Value | Otherwise> {
    try {
      return await reading
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP')) return otherwise
      throw error
    }
  }

  /** Records a file. Returns its text; undefined if it is known already, or no text that refers to others. */
  private async take(path: string): Promise<string | undefined> {
    if (this.files.has(path)) return undefined
    const status = await this.status(path)
    if (status?.kind !== 'file') return undefined
    this.sizeBytes += status.sizeBytes
    if (this.files.size >= contentLimits.filesMax || this.sizeBytes > contentLimits.bytesMax) {
      const { filesMax, bytesMax } = contentLimits
      throw new ContentTooLarge(`it has more than ${filesMax} files, or ${bytesMax} bytes`)
    }
    const bytes = await this.found(this.request.disk.read(path), undefined)
    if (bytes === undefined) return undefined
    this.files.set(path, { path, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
    return codeExtensions.has(extname(path)) || extname(path) === '' ? new TextDecoder().decode(bytes) : undefined
  }
}

/** True for what is taken with every file of a package. */
function isTakenWith(root: string, target: string): boolean {
  if (target !== root && !target.startsWith(`${root}/`)) return false
  return !target
    .slice(root.length)
    .split('/')
    .some((name) => passedOver.includes(name))
}
