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

const person = (sub: string) => ({ id: `id of ${sub}`, sub, displayName: sub.toUpperCase() })
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

t.test('a person with windows at several processes is there once, and first in the own list', async (t) => {
  const [one, other] = processes(2)
  const [here, there, somebody] = [
    one?.presence.enter('room', person('ada'), ignore),
    other?.presence.enter('room', person('ada'), ignore),
    one?.presence.enter('room', person('bob'), ignore),
  ]
  const again = one?.presence.enter('room', person('ada'), ignore)
  await eventually(() => names(there)?.length === 2)
  for (const stay of [here, there, somebody]) t.equal(stay?.present().count, 2)
  t.equal(somebody?.present().readers[0]?.sub, 'bob')
  here?.leave()
  await new Promise((resolve) => setTimeout(resolve, presenceLimits.lingerMs + 500))
  t.same(names(somebody), ['ada', 'bob'], 'another window is still open')
  again?.leave()
})

t.test('a reader who says their name is shown with it, though the stream before has not ended', async (t) => {
  const [one, other] = processes(2)
  const guest = { ...person('ada'), displayName: null }
  const watching = ['b', 'c'].map((sub) => (sub === 'b' ? one : other)?.presence.enter('room', person(sub), ignore))
  one?.presence.enter('room', guest, ignore)
  await eventually(() => watching.every((stay) => names(stay)?.length === 3))
  const shown = (stay: Stay | undefined) => stay?.present().readers.find(({ id }) => id === guest.id)?.displayName
  t.same(watching.map(shown), [null, null])
  one?.presence.enter('room', person('ada'), ignore)
  await eventually(() => watching.every((stay) => shown(stay) === 'ADA'))
})

t.test('of a crowd the own entry is named, and everybody counted', async (t) => {
  const [one, other] = processes(2)
  const max = presenceLimits.readersMax
  const stays = Array.from({ length: max + 10 }, (_, number) =>
    one?.presence.enter('room', person(`a${number}`), ignore),
  )
  for (let number = 0; number < max + 5; number++) other?.presence.enter('room', person(`b${number}`), ignore)
  const last = stays.at(-1)
  await eventually(() => last?.present().count === 2 * max + 15)
  t.equal(last?.present().readers.length, max)
  t.equal(last?.present().readers[0]?.sub, `a${max + 9}`)
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
  const long = JSON.stringify({ process: 'x', count: 99, readers: Array(99).fill(person('x')) })
  for (const text of ['', '{', '7', 'null', '{"process":"x"}', '{"process":"x","readers":[7],"count":1}', long]) {
    other?.bus.announce('room', text)
  }
  other?.presence.enter('room', person('other'), ignore)
  await eventually(() => names(stay)?.length === 2)
  t.same(names(stay), ['one', 'other'])
})
