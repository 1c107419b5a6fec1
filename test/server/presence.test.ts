// Readers of several processes, which tell each other about them: also when one of them is killed, or speaks nonsense.
import t from 'tap'
import { Presence, type Stay } from '../../server/presence/presence.js'
import { presenceLimits } from '../../server/presence/presence-limits.js'
import { MemoryBus } from '../../server/storage/memory-bus.js'
import { eventually } from '../support/eventually.js'

/** A bus whose announcements reach the others; `isCut` = nothing of it does. */
class LinkedBus extends MemoryBus {
  isCut = false

  constructor(private readonly all: LinkedBus[]) {
    super()
    all.push(this)
  }

  override announce(topic: string, text: string): void {
    for (const other of this.all) if (other !== this && !this.isCut) other.hear(topic, text)
  }
}

const clock = { now: () => now, sleep: async () => {} }
let now = 1_000_000
let ids = 0
const random = { uuid: () => `id-${++ids}`, fraction: () => 0.5 }

function processes(count: number) {
  const buses: LinkedBus[] = []
  return Array.from({ length: count }, () => {
    const bus = new LinkedBus(buses)
    return { bus, presence: new Presence({ bus, clock, random }) }
  })
}

const person = (sub: string) => ({ sub, displayName: sub.toUpperCase() })
const names = (stay: Stay | undefined) =>
  stay
    ?.present()
    .readers.map(({ sub }) => sub)
    .toSorted()
const ignore = () => {}

t.test('processes know the readers of each other, whoever came first', async (t) => {
  const stays: Stay[] = []
  for (const [index, { presence }] of processes(3).entries())
    stays.push(presence.enter('room', person(`${index}`), ignore))
  await eventually(() => stays.every((stay) => names(stay)?.join() === '0,1,2'))
  t.ok(stays.every((stay) => stay.present().count === 3))
})

t.test('a process that stops takes its readers along at once, one that was killed after a while', async (t) => {
  const [stays, heard] = [[] as Stay[], { count: 0 }]
  const [one, other, third] = processes(3)
  if (one === undefined || other === undefined || third === undefined) throw new Error('unreachable')
  for (const [sub, { presence }] of [
    ['one', one],
    ['other', other],
    ['third', third],
  ] as const) {
    stays.push(presence.enter('room', person(sub), () => (heard.count += 1)))
  }
  await eventually(() => names(stays[0])?.length === 3)
  other.presence.close()
  await eventually(() => names(stays[0])?.join() === 'one,third')
  third.bus.isCut = true
  now += presenceLimits.lifetimeMs - 1
  one.presence.renew()
  t.same(names(stays[0]), ['one', 'third'])
  now += 1
  one.presence.renew()
  t.same(names(stays[0]), ['one'])
  const before = heard.count
  await eventually(() => heard.count > before)
  third.bus.isCut = false
  third.presence.renew()
  await eventually(() => names(stays[0])?.join() === 'one,third')
})

t.test('rooms end with their last reader', async (t) => {
  const [one] = processes(1)
  const stay = one?.presence.enter('room', person('one'), ignore)
  t.equal(one?.presence.roomCount, 1)
  stay?.leave()
  stay?.leave()
  await eventually(() => one?.presence.roomCount === 0)
})

t.test('announcements of other programs are ignored', async (t) => {
  const [one, other] = processes(2)
  const stay = one?.presence.enter('room', person('one'), ignore)
  const long = JSON.stringify({ process: 'x', count: 99, readers: Array(99).fill({ id: 'x', ...person('x') }) })
  for (const text of ['', '{', '7', 'null', '{"process":"x"}', '{"process":"x","readers":[7],"count":1}', long]) {
    other?.bus.announce('room', text)
  }
  other?.presence.enter('room', person('other'), ignore)
  await eventually(() => names(stay)?.length === 2)
  t.same(names(stay), ['one', 'other'])
})
