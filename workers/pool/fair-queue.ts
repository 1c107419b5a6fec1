// Queue of tasks that wait for a thread, in fair order: first the tenant that has used the least time, within it the
// token or share, within that the session; first come, first served within one session. Fairness is measured in time,
// because durations of tasks differ by a factor of ten thousand.

import { limits } from '../limits.js'
import type { Account } from '../messages/account.js'
import { type QueueEntry, QueueNode } from './queue-node.js'

export interface FairQueueBounds {
  /** Maximum number of queued tasks of one tenant and in total; a party below its share may exceed them. */
  readonly tenantQueuedMax: number
  readonly queuedMax: number
  /** Maximum number of tasks in flight, divided among the parties that have tasks. */
  readonly allowance: number
  /** Maximum number of tasks in flight of one tenant, whatever else is allowed. */
  readonly tenantInFlightMax: number
}

export class FairQueue<Task> {
  readonly #root = new QueueNode<Task>(1)
  readonly #entries = new Map<Task, QueueEntry<Task>>()
  readonly #bounds: FairQueueBounds

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds
  }

  /** Number of queued tasks. */
  get size(): number {
    return this.#root.queued
  }

  /** Adds a task. Returns false if the queue of its account is full. */
  add(task: Task, account: Account, nowMs: number): boolean {
    const path = this.#pathOf(account, nowMs)
    if (this.#isFull(path)) {
      this.#prune(path, nowMs)
      return false
    }
    this.#insert({ task, path, startedAtMs: 0, isSlow: false }, 'last')
    return true
  }

  /** Returns a task to the head of its queue, from which it was removed before. */
  addAgain(task: Task, nowMs: number): void {
    const entry = this.#entryOf(task)
    for (const node of [this.#root, ...entry.path]) node.finish(entry, nowMs)
    this.#insert({ ...entry, isSlow: false }, 'first')
  }

  remove(task: Task, nowMs: number): void {
    const entry = this.#entries.get(task)
    if (entry === undefined || !this.#leafOf(entry).waiting.includes(entry)) return
    this.#withdraw(entry)
    this.#entries.delete(task)
    this.#prune(entry.path, nowMs)
  }

  /** Removes and returns all queued tasks. */
  drain(nowMs: number): readonly Task[] {
    const waiting = [...this.#entries.values()].filter((entry) => this.#leafOf(entry).waiting.includes(entry))
    for (const { task } of waiting) this.remove(task, nowMs)
    return waiting.map(({ task }) => task)
  }

  /** Removes and begins the first task, in fair order, that is allowed to run and for which `place` returns a place. */
  take<Place>(nowMs: number, place: (task: Task) => Place | undefined): { task: Task; place: Place } | undefined {
    const found = this.#search(nowMs, place)
    if (found === undefined) return undefined
    const { entry } = found
    this.#withdraw(entry)
    entry.startedAtMs = nowMs
    for (const node of [this.#root, ...entry.path]) node.begin(nowMs)
    return { task: entry.task, place: found.place }
  }

  /** Returns the result of `place` for the first task, in fair order, for which it returns one. */
  first<Place>(nowMs: number, place: (task: Task) => Place | undefined): Place | undefined {
    return this.#search(nowMs, place)?.place
  }

  finish(task: Task, nowMs: number): void {
    const entry = this.#entryOf(task)
    this.#entries.delete(task)
    for (const node of [this.#root, ...entry.path]) node.finish(entry, nowMs)
    this.#prune(entry.path, nowMs)
  }

  /** Marks a long-running task, which no longer counts against the number of tasks that its account may run at once. */
  markSlow(task: Task): void {
    const entry = this.#entryOf(task)
    if (entry.isSlow) return
    entry.isSlow = true
    for (const node of [this.#root, ...entry.path]) node.slow += 1
  }

  /**
   * True if, at the level at which the two accounts differ, the party of the waiting task runs fewer tasks than that of
   * the running one.
   */
  isBehind(waiting: Task, running: Task): boolean {
    const [behind, ahead] = [this.#entryOf(waiting).path, this.#entryOf(running).path]
    const level = behind.findIndex((node, index) => node !== ahead[index])
    const [less, more] = [behind[level], ahead[level]]
    return less !== undefined && more !== undefined && less.inFlight < more.inFlight
  }

  /** True if the task's token or share, or its tenant if it has none, runs another task. */
  runsOtherTask(task: Task): boolean {
    const [tenant, party] = this.#entryOf(task).path
    return ((party ?? tenant)?.inFlight ?? 0) > 0
  }

  #search<Place>(nowMs: number, place: (task: Task) => Place | undefined) {
    return this.#find(this.#root, { nowMs, place, allowance: this.#bounds.allowance, isOverdrawn: false })
  }

  #find<Place>(
    parent: QueueNode<Task>,
    search: {
      readonly nowMs: number
      readonly place: (task: Task) => Place | undefined
      readonly allowance: number
      /** True if only parties without running tasks may begin one. */
      readonly isOverdrawn: boolean
    },
  ): { entry: QueueEntry<Task>; place: Place } | undefined {
    const { nowMs, place, isOverdrawn } = search
    for (const entry of parent.waiting) {
      const found = isOverdrawn ? undefined : place(entry.task)
      if (found !== undefined) return { entry, place: found }
    }
    const active = [...parent.children.values()].filter((child) => child.isActive)
    const weights = active.reduce((sum, { weight }) => sum + weight, 0)
    const candidates = active.filter(({ queued, inFlight }) => queued > 0 && !(isOverdrawn && inFlight > 0))
    for (const child of candidates.sort((a, b) => a.usedMs(nowMs) - b.usedMs(nowMs))) {
      if (parent === this.#root && child.inFlight >= this.#bounds.tenantInFlightMax) continue
      const allowance = Math.max(1, Math.ceil((search.allowance * child.weight) / weights))
      const isChildOverdrawn = child.inFlight - child.slow >= allowance
      const found = this.#find(child, { nowMs, place, allowance, isOverdrawn: isChildOverdrawn })
      if (found !== undefined) return found
    }
    return undefined
  }

  #isFull(path: readonly QueueNode<Task>[]): boolean {
    let parent = this.#root
    for (const node of path) {
      const max = parent === this.#root ? this.#bounds.queuedMax : this.#bounds.tenantQueuedMax
      const competitors = [...parent.children.values()].filter((child) => child.queued > 0 || child === node)
      const weights = competitors.reduce((sum, { weight }) => sum + weight, 0)
      if (parent.queued >= 2 * max) return true
      if (parent.queued >= max && node.queued >= (max * node.weight) / weights) return true
      parent = node
    }
    return parent.queued >= this.#bounds.tenantQueuedMax
  }

  #pathOf(account: Account, nowMs: number): readonly QueueNode<Task>[] {
    let parent = this.#root
    return account.map(({ name, weight }) => {
      const floorMs = parent.floorMs(nowMs)
      const node = parent.children.get(name) ?? new QueueNode<Task>(weight, floorMs)
      node.catchUp(floorMs)
      node.weight = weight
      parent.children.set(name, node)
      parent = node
      return node
    })
  }

  #insert(entry: QueueEntry<Task>, place: 'first' | 'last'): void {
    this.#entries.set(entry.task, entry)
    const leaf = this.#leafOf(entry)
    if (place === 'first') leaf.waiting.unshift(entry)
    else leaf.waiting.push(entry)
    for (const node of [this.#root, ...entry.path]) node.queued += 1
  }

  #withdraw(entry: QueueEntry<Task>): void {
    const { waiting } = this.#leafOf(entry)
    waiting.splice(waiting.indexOf(entry), 1)
    for (const node of [this.#root, ...entry.path]) node.queued -= 1
  }

  #leafOf({ path }: QueueEntry<Task>): QueueNode<Task> {
    return path.at(-1) ?? this.#root
  }

  #entryOf(task: Task): QueueEntry<Task> {
    const entry = this.#entries.get(task)
    if (entry === undefined) throw new Error('The task is not in this queue')
    return entry
  }

  #prune(path: readonly QueueNode<Task>[], nowMs: number): void {
    for (const parent of [...path.slice(0, -1).reverse(), this.#root]) parent.prune(nowMs, limits.debtorsMax)
  }
}
