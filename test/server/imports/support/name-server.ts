// Small name server on the loopback. Names that begin with `dead` are never answered, those with `good` have an address of
// this machine, those with `four` only answer queries for IPv4; all others do not exist.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Test } from 'tap'

export interface NameServer {
  readonly address: string
  /** Names that were asked for, in order, each with its record type. */
  readonly asked: readonly string[]
  /** Resolves when the number of queries that fit is reached. */
  until(count: number, fits: (asked: string) => boolean): Promise<void>
}

const noSuchName = 0x8183
const noError = 0x8180
const typeA = 1
const typeNames: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }

export async function startNameServer(t: Pick<Test, 'teardown'>, ipv4 = '127.0.0.1'): Promise<NameServer> {
  const asked: string[] = []
  const waiting = new Set<() => void>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    asked.push(`${name} ${typeNames[type]}`)
    for (const look of [...waiting]) look()
    if (name.startsWith('dead') || (name.startsWith('four') && type !== typeA)) return
    const exists = /^(good|four)/.test(name)
    const records = exists && type === typeA ? [recordOf(ipv4)] : []
    const head = Buffer.from(query.subarray(0, end))
    head.writeUInt16BE(exists ? noError : noSuchName, 2)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt16BE(0, 10)
    socket.send(Buffer.concat([head, ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    until: (count, fits) =>
      new Promise((resolve) => {
        const look = () => {
          if (asked.filter(fits).length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Returns a record of the name of the question, with an address of IPv4. */
const recordOf = (ipv4: string) =>
  Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...ipv4.split('.').map(Number)])
