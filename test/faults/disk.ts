// In-memory disk that fails or crashes at any call, and then shows a possible state of a real disk after a power failure:
// written bytes that were not flushed may be lost, and so may new names, renames and removals without a flush of the folder,
// in any order.
import { dirname, posix } from 'node:path'
import type { Appender, Disk, FileStatus } from '../../core/ports/disk.js'
import {
  applyTo,
  firstHalf,
  joined,
  type NameChange,
  type Node,
  type Survival,
  survivingBytes,
  survivorsOf,
} from './medium.js'

export { type Survival, survivals } from './medium.js'

export interface Fault {
  /** Number of the failing call, from 1; calls of appenders count too. */
  readonly atCall: number
  /** `middle`: half of a write is done; for atomic calls it means `before`. */
  readonly when: 'before' | 'middle' | 'after'
  /** `crash`: this call and all later ones reject with `Crash`. Else a Node error code (`ENOSPC`), for this call only. */
  readonly as: 'crash' | string
  /** True if every later write fails as well, as on a disk that stays full. */
  readonly isLasting?: boolean
}

export class Crash extends Error {
  override readonly name = 'Crash'
}

export class FaultDisk implements Disk {
  /** Calls, such as `rename agents.state.temporary`. */
  readonly calls: string[] = []
  private readonly nodes = new Map<string, Node>()
  private readonly durableNames = new Map<string, Node>()
  private readonly folders = new Set<string>(['/'])
  private pendingNames: NameChange[] = []
  private fault: Fault | undefined
  private hasCrashed = false
  private lastId = 0

  /** Files that are on the medium at first. */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const [path, content] of Object.entries(files)) this.put(path, content)
  }

  /** Writes a file like another process: not counted as a call, and never fails. */
  put(path: string, content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const node = this.newNode(bytes, 0o600)
    this.nodes.set(path, node)
    this.durableNames.set(path, node)
    this.addFolder(dirname(path))
  }

  /** Sets a fault for a later call; earlier calls still count. */
  inject(fault: Fault): void {
    this.fault = fault
  }

  /** Returns the disk for the next process: after a power failure, or, with `everything`, after the death of the process. */
  afterCrash(survival: Survival): FaultDisk {
    const next = new FaultDisk()
    const names = new Map(this.durableNames)
    for (const change of survivorsOf(this.pendingNames, survival)) applyTo(names, change)
    for (const folder of this.folders) next.addFolder(folder)
    for (const [path, node] of names) {
      const bytes = survivingBytes(node, survival)
      const copy = { ...node, bytes, flushed: bytes }
      next.nodes.set(path, copy)
      next.durableNames.set(path, copy)
    }
    next.lastId = this.lastId
    return next
  }

  text(path: string): string | undefined {
    const node = this.nodes.get(path)
    return node && new TextDecoder().decode(node.bytes)
  }

  mode(path: string): number | undefined {
    return this.nodes.get(path)?.mode
  }

  get paths(): readonly string[] {
    return [...this.nodes.keys()].sort()
  }

  read(path: string): Promise<Uint8Array> {
    return this.call('read', path, { all: () => this.node(path).bytes })
  }

  status(path: string): Promise<FileStatus | null> {
    return this.call('status', path, {
      all: () => {
        const node = this.nodes.get(path)
        if (node) return { kind: 'file', sizeBytes: node.bytes.length, id: node.id }
        return this.folders.has(path) ? { kind: 'folder', sizeBytes: 0, id: path } : null
      },
    })
  }

  /** There are no symbolic links on this disk. */
  realPath(path: string): Promise<string> {
    return this.call('realPath', path, {
      all: () => {
        if (!this.nodes.has(path) && !this.folders.has(path)) throw nodeError('ENOENT', path)
        return path
      },
    })
  }

  linkTarget(path: string): Promise<string> {
    return this.call('linkTarget', path, { all: () => path })
  }

  list(path: string): Promise<readonly string[]> {
    return this.call('list', path, {
      all: () => {
        if (!this.folders.has(path)) throw nodeError('ENOENT', path)
        const below = [...this.nodes.keys(), ...this.folders].filter(
          (other) => other !== path && dirname(other) === path,
        )
        return below.map((other) => posix.basename(other)).sort()
      },
    })
  }

  async write(path: string, bytes: Uint8Array, { mode }: { readonly mode: number }): Promise<void> {
    const opened = () => {
      const node = this.nodes.get(path) ?? this.link(path, this.newNode(new Uint8Array(), mode))
      node.bytes = new Uint8Array()
      return node
    }
    await this.call('write', path, {
      half: () => {
        opened().bytes = firstHalf(bytes)
      },
      all: () => {
        const node = opened()
        node.bytes = bytes
        node.flushed = bytes
      },
    })
  }

  create(path: string, bytes: Uint8Array, { mode }: { readonly mode: number }): Promise<boolean> {
    return this.call('create', path, {
      all: () => {
        if (this.nodes.has(path)) return false
        this.link(path, this.newNode(bytes, mode))
        return true
      },
    })
  }

  async append(path: string, { mode }: { readonly mode: number }): Promise<Appender> {
    const node = await this.call('append', path, {
      all: () => this.nodes.get(path) ?? this.link(path, this.newNode(new Uint8Array(), mode)),
    })
    return {
      write: (bytes) =>
        this.call('appender.write', path, {
          half: () => {
            node.bytes = joined(node.bytes, firstHalf(bytes))
          },
          all: () => {
            node.bytes = joined(node.bytes, bytes)
          },
        }),
      flush: () =>
        this.call('appender.flush', path, {
          all: () => {
            node.flushed = node.bytes
          },
        }),
      close: () => this.call('appender.close', path, { all: () => {} }),
    }
  }

  rename(from: string, to: string): Promise<void> {
    return this.call('rename', from, {
      all: () => {
        this.change([from, undefined], [to, this.node(from)])
      },
    })
  }

  async remove(path: string): Promise<void> {
    await this.call('remove', path, { all: () => this.nodes.has(path) && this.change([path, undefined]) })
  }

  createFolder(path: string): Promise<void> {
    return this.call('createFolder', path, { all: () => this.addFolder(path) })
  }

  flushFolder(path: string): Promise<void> {
    return this.call('flushFolder', path, {
      all: () => {
        for (const change of this.pendingNames) applyTo(this.durableNames, change)
        this.pendingNames = []
      },
    })
  }

  private async call<Result>(
    name: string,
    path: string,
    effect: { readonly half?: () => void; readonly all: () => Result },
  ): Promise<Result> {
    await null // Resolves in a later turn of the event loop, like a real disk.
    if (this.hasCrashed) throw new Crash('the process is dead')
    this.calls.push(`${name} ${posix.basename(path)}`)
    const fault = this.due(effect.half !== undefined)
    if (!fault) return effect.all()
    if (fault.when === 'middle') effect.half?.()
    if (fault.when === 'after') attempt(effect.all)
    if (fault.as !== 'crash') throw nodeError(fault.as, path)
    this.hasCrashed = true
    throw new Crash(`crashed at call ${this.calls.length}: ${this.calls.at(-1)}`)
  }

  private due(isWrite: boolean): Fault | undefined {
    if (!this.fault) return undefined
    const isNow = this.calls.length === this.fault.atCall
    const isStillOn = this.fault.isLasting === true && isWrite && this.calls.length > this.fault.atCall
    return isNow || isStillOn ? this.fault : undefined
  }

  private node(path: string): Node {
    const node = this.nodes.get(path)
    if (!node) throw nodeError('ENOENT', path)
    return node
  }

  private newNode(bytes: Uint8Array, mode: number): Node {
    this.lastId++
    return { id: String(this.lastId), mode, bytes, flushed: bytes }
  }

  private link(path: string, node: Node): Node {
    this.change([path, node])
    return node
  }

  private change(...names: readonly (readonly [string, Node | undefined])[]): void {
    for (const [path] of names) if (!this.folders.has(dirname(path))) throw nodeError('ENOENT', path)
    const change = new Map(names)
    applyTo(this.nodes, change)
    this.pendingNames.push(change)
  }

  private addFolder(path: string): void {
    for (let folder = path; !this.folders.has(folder); folder = dirname(folder)) this.folders.add(folder)
  }
}

/** Has no effect, because the process is dead. */
function attempt(effect: () => unknown): void {
  try {
    effect()
  } catch {
    return
  }
}

function nodeError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
