// The real file system, which records its calls and makes one of them fail.
import { basename } from 'node:path'
import { type Files, nodeFiles, type Sink } from '../../../../server/storage/files.js'

export class FaultyFiles implements Files {
  /** Recorded calls such as `rename *.part`, where random names are replaced by a star. */
  readonly calls: string[] = []

  constructor(private readonly fault?: { readonly failAt: number; readonly code: string }) {}

  async create(path: string): Promise<Sink> {
    const sink = await this.call('create', path, () => nodeFiles.create(path))
    return {
      write: (bytes) => this.call('write', path, () => sink.write(bytes)),
      sync: () => this.call('sync', path, () => sink.sync()),
      close: () => sink.close(),
    }
  }

  sync = (path: string) => this.call('sync', path, () => nodeFiles.sync(path))
  rename = (from: string, to: string) => this.call('rename', from, () => nodeFiles.rename(from, to))
  createFolder = (path: string) => this.call('createFolder', path, () => nodeFiles.createFolder(path))
  syncFolder = (path: string) => this.call('syncFolder', path, () => nodeFiles.syncFolder(path))
  linkOrCopy = (from: string, to: string) => this.call('linkOrCopy', from, () => nodeFiles.linkOrCopy(from, to))
  remove = (path: string) => this.call('remove', path, () => nodeFiles.remove(path))
  size = nodeFiles.size
  read = nodeFiles.read
  names = nodeFiles.names

  private async call<Result>(name: string, path: string, effect: () => Promise<Result>): Promise<Result> {
    const index = this.calls.push(`${name} ${basename(path).replace(/^[0-9a-f-]{36}/, '*')}`) - 1
    if (index !== this.fault?.failAt) return effect()
    throw Object.assign(new Error(`${this.fault.code}: ${name}`), { code: this.fault.code })
  }
}
